// id:       const-restrict-pointer-to-what-is-written
// chapter:  memory-hierarchy
// source:   written for this collection, after the best practices guide on const and __restrict__
// did:      squared an array in place, waited at a barrier and added what the mirrored thread had
//           written, through an input pointer that is const __restrict__
// saw:      sums with squares in them and sums without
// cause:    const and __restrict__ promise that nobody changes the data, so the compiler loads it
//           through the read-only cache
// kind:     stale-read
// point-at: line 28
// shows:    caches

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
#ifdef FIXED
#define PROMISED
#else
#define PROMISED __restrict__
#endif

__global__ void add_mirrored(const float* PROMISED in, float* PROMISED squares, float* sums) {
    int i = threadIdx.x, n = blockDim.x;
    float square = in[i] * in[i];
    squares[i] = square;
    __syncthreads();
    sums[i] = square + in[n - 1 - i];  // <-- BUG
}
int main() {
    const int n = 128;
    float h[n], *v, *sums;
    for (int i = 0; i < n; ++i) h[i] = i;
    CK(cudaMalloc(&v, sizeof h));
    CK(cudaMalloc(&sums, sizeof h));
    CK(cudaMemcpy(v, h, sizeof h, cudaMemcpyHostToDevice));
    add_mirrored<<<1, n>>>(v, v, sums);
    CK(cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost));
    printf("%g %g\n", h[5], h[100]);
    CK(cudaFree(v)); CK(cudaFree(sums));
}
