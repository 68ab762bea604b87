// id:       streams-count-with-atomics
// chapter:  streams
// source:   own
// did:      let kernels of two streams add to one counter
// cause:    atomic additions may come in any order
// kind:     none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* a, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = v + i;
}
__global__ void add(int* a, const int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += b[i];
}
__global__ void count(int* total) { atomicAdd(total, 1); }
int main() {
    int *total, sum; cudaStream_t a, b;
    CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b));
    CK(cudaMalloc(&total, sizeof(int))); CK(cudaMemset(total, 0, sizeof(int)));
    count<<<4, 64, 0, a>>>(total);
    count<<<4, 64, 0, b>>>(total);
    CK(cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 512)\n", sum);
    CK(cudaFree(total)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
