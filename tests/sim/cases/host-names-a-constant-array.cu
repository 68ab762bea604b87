// id:       host-names-a-constant-array
// chapter:  memory-hierarchy
// did:      passed a __constant__ array from host code as a kernel's argument
// cause:    on the host the name is a stand-in, not the variable's address on the device
// kind:     out-of-bounds (also accept: api-misuse)
// point-at: line 15 (also accept: 27)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__constant__ float weight[32];
__global__ void mul(const float* w, float* a) {
    a[threadIdx.x] *= w[threadIdx.x];               // <-- BUG
}
int main() {
    float h[32], *a, *w;
    for (float& v : h) v = 2;
    CK(cudaMemcpyToSymbol(weight, h, sizeof h));
    CK(cudaMalloc(&a, sizeof h)); CK(cudaMemset(a, 0, sizeof h));
#ifdef FIXED
    CK(cudaGetSymbolAddress((void**)&w, weight));
#else
    w = weight;
#endif
    mul<<<1, 32>>>(w, a);                           // <-- also accepted
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(a));
}
