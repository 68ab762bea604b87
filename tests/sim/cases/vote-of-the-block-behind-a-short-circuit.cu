// id:       vote-of-the-block-behind-a-short-circuit
// chapter:  shared-memory
// did:      asked the whole block in a condition that not all threads get to
// saw:      the answer is that of some of the threads
// cause:    && does not evaluate its right side for threads whose left side is false, and
//           __syncthreads_or is a barrier
// kind:     barrier-divergence
// point-at: line 23
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void anyBig(const int* v, int* out, int n) {
    int i = threadIdx.x;
#ifdef FIXED
    int big = __syncthreads_or(i < n && v[i] > 10);
    if (i < n && big) out[i] = 1;
#else
    if (i < n && __syncthreads_or(v[i] > 10))       // <-- BUG
        out[i] = 1;
#endif
}
int main() {
    int h[96] = {}, *v, *out;
    h[50] = 20;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(h)));
    anyBig<<<1, 128>>>(v, out, 96);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(v)); CK(cudaFree(out));
}
