// id:       event-and-stream-destroyed-early
// chapter:  streams
// source:   written for this collection
// did:      destroyed the event right after the wait and the streams while their work was queued
// saw:      it looks as if the work were lost
// cause:    both are freed when the device is done with them
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void add(int* v, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += k;
}
int main() {
    const int n = 1000;
    int* v;
    cudaStream_t a, b;
    cudaEvent_t e;
    CK(cudaMalloc(&v, n * sizeof(int)));
    CK(cudaMemset(v, 0, n * sizeof(int)));
    CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b));
    CK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    add<<<4, 256, 0, a>>>(v, n, 1);
    CK(cudaEventRecord(e, a));
    CK(cudaStreamDestroy(a));
    CK(cudaStreamWaitEvent(b, e, 0));
    CK(cudaEventDestroy(e));
    add<<<4, 256, 0, b>>>(v, n, 2);
    CK(cudaStreamDestroy(b));
    CK(cudaDeviceSynchronize());
    int first = 0;
    CK(cudaMemcpy(&first, v, sizeof first, cudaMemcpyDeviceToHost));
    printf("%d\n", first);
    CK(cudaFree(v));
}
