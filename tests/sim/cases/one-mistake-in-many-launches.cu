// id:       one-mistake-in-many-launches
// chapter:  programming-model
// did:      repeated a kernel with <= where < is meant
// cause:    one past the end, fifty times: it is told once
// kind:     out-of-bounds
// point-at: line 20

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void step(float* a, int n) {
    int i = threadIdx.x;
#ifdef FIXED
    if (i < n)
#else
    if (i <= n)
#endif
        a[i] = 1;                                   // <-- BUG
}
int main() {
    float* a;
    CK(cudaMalloc(&a, 400));
    for (int k = 0; k < 50; k++) step<<<1, 128>>>(a, 100);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(a));
}
