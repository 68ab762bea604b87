// id:       unwritten-through-a-copy
// chapter:  memory-hierarchy
// did:      copied an array that was never filled to a second one, and computed with that
// cause:    the copy carries nothing along: the first array was forgotten
// kind:     uninitialised-read
// point-at: line 16

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void twice(const float* v, float* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = 2 * v[i];                   // <-- BUG
}
int main() {
    const int n = 64;
    float h[n] = {}, *a, *b, *out;
    CK(cudaMalloc(&a, sizeof(h))); CK(cudaMalloc(&b, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
#ifdef FIXED
    CK(cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice));
#endif
    CK(cudaMemcpy(b, a, sizeof(h), cudaMemcpyDeviceToDevice));
    twice<<<1, n>>>(b, out, n); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %g (want 0)\n", h[0]);
    CK(cudaFree(a)); CK(cudaFree(b)); CK(cudaFree(out));
}
