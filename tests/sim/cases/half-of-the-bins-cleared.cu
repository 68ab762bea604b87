// id:       half-of-the-bins-cleared
// chapter:  shared-memory
// did:      cleared 256 bins with if (threadIdx.x < 256) in blocks of 128
// cause:    each thread clears one bin, and there are two for each
// kind:     uninitialised-read
// point-at: line 22 (also accept: 25)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void hist(const unsigned char* x, int n, unsigned* out) {
    __shared__ unsigned bins[256];
#ifdef FIXED
    for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
#else
    if (threadIdx.x < 256) bins[threadIdx.x] = 0;
#endif
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[x[i]], 1u);                 // <-- BUG
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        out[b] = bins[b];                           // <-- also accepted
}
int main() {
    static unsigned char h[1024]; unsigned char* x; unsigned r[256], *o;
    for (int i = 0; i < 1024; i++) h[i] = (unsigned char)(i * 5);
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&o, sizeof r));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    hist<<<1, 128>>>(x, 1024, o);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost));
    printf("%u\n", r[0]);
    CK(cudaFree(x)); CK(cudaFree(o));
}
