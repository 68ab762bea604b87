// id:       rows-of-a-tile-overlap
// chapter:  shared-memory
// did:      placed the rows of a 16 by 16 tile 15 elements apart
// cause:    the last element of a row is the first one of the next
// kind:     shared-race (also accept: out-of-bounds)
// point-at: line 21

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void t(const int* x, int* y) {
    __shared__ int tile[256];
    int tx = threadIdx.x, ty = threadIdx.y;
#ifdef FIXED
    tile[ty * 16 + tx] = x[ty * 16 + tx];
    __syncthreads();
    y[ty * 16 + tx] = tile[tx * 16 + ty];
#else
    tile[ty * 15 + tx] = x[ty * 16 + tx];           // <-- BUG
    __syncthreads();
    y[ty * 16 + tx] = tile[tx * 15 + ty];
#endif
}
int main() {
    int h[256], *x, *y;
    for (int i = 0; i < 256; i++) h[i] = i;
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&y, sizeof h));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    t<<<1, dim3(16, 16)>>>(x, y);
    CK(cudaGetLastError()); CK(cudaDeviceSynchronize());
    CK(cudaFree(x)); CK(cudaFree(y));
}
