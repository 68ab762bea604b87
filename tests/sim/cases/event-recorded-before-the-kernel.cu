// id:       event-recorded-before-the-kernel
// chapter:  streams
// source:   own
// did:      recorded the event first, then launched the kernel that it was meant to mark
// cause:    an event stands for what was queued before it was recorded
// kind:     stream-race
// point-at: line 39 (also accept: 34)
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
    int *d, *e; cudaStream_t a, b; cudaEvent_t ready;
    CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CK(cudaEventCreate(&ready));
    CK(cudaMalloc(&d, n * sizeof(int))); CK(cudaMalloc(&e, n * sizeof(int)));
    CK(cudaMemset(e, 0, n * sizeof(int))); CK(cudaDeviceSynchronize());
#ifndef FIXED
    CK(cudaEventRecord(ready, a));
#endif
    fill<<<4, 256, 0, a>>>(d, n, 1);                // <-- also accepted
#ifdef FIXED
    CK(cudaEventRecord(ready, a));
#endif
    CK(cudaStreamWaitEvent(b, ready, 0));
    add<<<4, 256, 0, b>>>(e, d, n);                 // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaFree(d)); CK(cudaFree(e)); CK(cudaEventDestroy(ready));
    CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
