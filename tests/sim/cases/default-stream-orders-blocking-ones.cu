// id:       default-stream-orders-blocking-ones
// chapter:  streams
// source:   own
// did:      let two streams touch one array with only a kernel of the default stream between
// cause:    the legacy default stream waits for blocking streams, and they for it
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
    int *d, *e; cudaStream_t a, b;
    CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b));
    CK(cudaMalloc(&d, n * sizeof(int))); CK(cudaMalloc(&e, n * sizeof(int)));
    fill<<<4, 256, 0, a>>>(d, n, 1);
    fill<<<4, 256>>>(e, n, 2);
    add<<<4, 256, 0, b>>>(d, e, n);
    CK(cudaDeviceSynchronize());
    CK(cudaFree(d)); CK(cudaFree(e)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
