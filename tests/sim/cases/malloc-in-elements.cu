// id:       malloc-in-elements
// chapter:  memory-hierarchy
// source:   GitHub eegkno/CUDA_by_practice pull request #4; bokesyo/CSC4005_2022Fall_Demo issue #31
// did:      passed the element count to cudaMalloc
// saw:      works for tiny arrays thanks to the 256-byte granularity, then corrupts its neighbours
// cause:    cudaMalloc takes bytes: n * sizeof(T)
// kind:     out-of-bounds
// point-at: line 19 (also accept: 27)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void iota(double* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i;                            // <-- BUG
}
int main() {
    const int n = 512;
    double* d; double last = 0;
#ifdef FIXED
    CK(cudaMalloc(&d, n * sizeof(double)));
#else
    CK(cudaMalloc(&d, n));                          // <-- also accepted
#endif
    iota<<<2, 256>>>(d, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&last, d + n - 1, sizeof(double), cudaMemcpyDeviceToHost));
    printf("saw: %g (want 511)\n", last);
    CK(cudaFree(d));
}
