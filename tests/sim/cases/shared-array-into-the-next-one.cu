// id:       shared-array-into-the-next-one
// chapter:  shared-memory
// source:   GitHub torch/cutorch pull request #704, review (bmem[tidx*2+1] of a power-of-two array)
// did:      wrote the flag of the next element, also for the last one
// cause:    the last element has none behind it
// kind:     out-of-bounds (also accept: uninitialised-read)
// point-at: line 26

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void runs(const int* in, int* starts) {
    __shared__ int key[64];
    __shared__ int mark[64];
    int t = threadIdx.x;                            // 32 threads, two elements each
    key[2 * t] = in[2 * t];
    key[2 * t + 1] = in[2 * t + 1];
    if (t == 0) mark[0] = 1;
    __syncthreads();
    mark[2 * t + 1] = key[2 * t] != key[2 * t + 1];
#ifdef FIXED
    if (2 * t + 2 < 64)
#endif
    mark[2 * t + 2] = key[2 * t + 1] != key[2 * t + 2];   // <-- BUG
    __syncthreads();
    starts[2 * t] = mark[2 * t];
    starts[2 * t + 1] = mark[2 * t + 1];
}
int main() {
    int h[64], *a, *b;
    for (int i = 0; i < 64; i++) h[i] = i / 3;
    CK(cudaMalloc(&a, sizeof h)); CK(cudaMalloc(&b, sizeof h));
    CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    runs<<<1, 32>>>(a, b);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d\n", h[3], h[4]);
    CK(cudaFree(a)); CK(cudaFree(b));
}
