// id:       event-time-after-a-wait-for-the-stream
// chapter:  streams
// source:   written for this collection
// did:      read the time between two events after waiting for another event recorded later
// saw:      no wait for the events themselves
// cause:    what comes later in the stream is done only when they are
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void add(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += 1;
}
int main() {
    const int n = 1000;
    int *v, first;
    float ms = -1;
    cudaStream_t s;
    cudaEvent_t begin, end;
    CK(cudaMalloc(&v, n * sizeof(int))); CK(cudaStreamCreate(&s));
    CK(cudaEventCreate(&begin)); CK(cudaEventCreate(&end));
    CK(cudaMemsetAsync(v, 0, n * sizeof(int), s));
    CK(cudaEventRecord(begin, s));
    add<<<4, 256, 0, s>>>(v, n);
    CK(cudaEventRecord(end, s));
    CK(cudaMemcpyAsync(&first, v, sizeof first, cudaMemcpyDeviceToHost, s));
    CK(cudaEventElapsedTime(&ms, begin, end));
    printf("%d %s\n", first, ms > 0 ? "timed" : "?");
    CK(cudaEventDestroy(begin)); CK(cudaEventDestroy(end)); CK(cudaStreamDestroy(s)); CK(cudaFree(v));
}
