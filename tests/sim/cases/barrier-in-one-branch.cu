// id:       barrier-in-one-branch
// chapter:  shared-memory
// did:      put a barrier into each side of an if
// cause:    half of the threads wait at one barrier, half at the other: neither has the whole
//           block
// kind:     barrier-divergence
// point-at: line 24 (also accept: 27)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void swap(int* v) {
    __shared__ int s[64];
    int t = threadIdx.x;
#ifdef FIXED
    s[t] = v[t];
    __syncthreads();
#else
    if (t < 32) {
        s[t] = v[t] + 0;
        __syncthreads();                            // <-- BUG
    } else {
        s[t] = v[t];
        __syncthreads();                            // <-- also accepted
    }
#endif
    v[t] = s[63 - t];
}
int main() {
    int h[64] = {}, *v;
    CK(cudaMalloc(&v, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    swap<<<1, 64>>>(v); CK(cudaGetLastError());
    CK(cudaMemcpy(h, v, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 0)\n", h[0]);
    CK(cudaFree(v));
}
