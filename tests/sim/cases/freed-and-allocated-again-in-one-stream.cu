// id:       freed-and-allocated-again-in-one-stream
// chapter:  streams
// source:   own
// did:      freed and allocated stream-ordered memory in a loop
// cause:    all of it is in one stream
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
int main() {
    const int n = 1024;
    cudaStream_t s; CK(cudaStreamCreate(&s));
    for (int k = 0; k < 4; k++) {
        int* d;
        CK(cudaMallocAsync(&d, n * sizeof(int), s));
        fill<<<4, 256, 0, s>>>(d, n, k);
        CK(cudaFreeAsync(d, s));
    }
    CK(cudaStreamSynchronize(s)); CK(cudaStreamDestroy(s));
}
