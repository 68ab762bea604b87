// id:       scan-in-place-with-one-barrier
// chapter:  shared-memory
// did:      added the neighbour at growing distance in place, with one barrier a step
// cause:    reading the old value and writing the new one need a barrier between them, too
// kind:     shared-race
// point-at: line 23 (also accept: 19)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void scan(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int v = t >= d ? s[t - d] : 0;              // <-- also accepted
#ifdef FIXED
        __syncthreads();
#endif
        s[t] += v;                                  // <-- BUG
        __syncthreads();
    }
    out[t] = s[t];
}
int main() {
    const int n = 128, m = 128;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    scan<<<1, 128>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
