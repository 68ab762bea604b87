// id:       lock-given-back-before-the-write
// chapter:  warps-divergence
// did:      released the lock right after reading, and stored the result afterwards
// cause:    the store is outside the lock
// kind:     global-race
// point-at: line 26 (also accept: 18)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ int lock;
__global__ void count(const int* in, int* out) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock, 0, 1) != 0) { }
    __threadfence();
    int sum = *out + in[blockIdx.x];                // <-- also accepted
#ifdef FIXED
    *out = sum;
    __threadfence();
    atomicExch(&lock, 0);
#else
    __threadfence();
    atomicExch(&lock, 0);
    *out = sum;                                     // <-- BUG
#endif
}
int main() {
    const int n = 64, m = 1;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    count<<<8, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g (want 28)\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
