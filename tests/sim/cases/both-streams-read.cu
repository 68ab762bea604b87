// id:       both-streams-read
// chapter:  streams
// source:   own
// did:      let kernels of two streams read one array at once
// cause:    reads do not disturb each other; each writes its own
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
    int *in, *x, *y; cudaStream_t a, b;
    CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CK(cudaMalloc(&in, n * sizeof(int))); CK(cudaMalloc(&x, n * sizeof(int))); CK(cudaMalloc(&y, n * sizeof(int)));
    fill<<<4, 256>>>(in, n, 1); fill<<<4, 256>>>(x, n, 1); fill<<<4, 256>>>(y, n, 1);
    CK(cudaDeviceSynchronize());
    add<<<4, 256, 0, a>>>(x, in, n);
    add<<<4, 256, 0, b>>>(y, in, n);
    CK(cudaDeviceSynchronize());
    CK(cudaFree(in)); CK(cudaFree(x)); CK(cudaFree(y)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
