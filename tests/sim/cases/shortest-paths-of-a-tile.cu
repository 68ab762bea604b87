// id:       shortest-paths-of-a-tile
// chapter:  shared-memory
// source:   GitHub ORNL/HeCBench issue #261 (floydwarshall2)
// did:      relaxed a tile of distances in place
// cause:    a thread reads a row and a column that their owners are changing
// kind:     shared-race
// point-at: line 25 (also accept: 21)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#define T 16
__global__ void fw(int* d) {
    __shared__ int s[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = d[y * T + x];
    __syncthreads();
    for (int k = 0; k < T; k++) {
        int v = s[y][k] + s[k][x];                  // <-- also accepted
#ifdef FIXED
        __syncthreads();
#endif
        if (v < s[y][x]) s[y][x] = v;               // <-- BUG
        __syncthreads();
    }
    d[y * T + x] = s[y][x];
}
int main() {
    int h[T * T], *d;
    for (int i = 0; i < T * T; i++) h[i] = i / T == i % T ? -1 : 1 + (i * 31) % 97;
    CK(cudaMalloc(&d, sizeof h));
    CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    fw<<<1, dim3(T, T)>>>(d);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(d));
}
