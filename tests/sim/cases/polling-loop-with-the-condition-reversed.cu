// id:       polling-loop-with-the-condition-reversed
// chapter:  streams
// source:   written for this collection
// did:      looped while the event's query gives cudaSuccess instead of cudaErrorNotReady
// saw:      the loop ends at once and the buffer is half filled
// cause:    cudaEventQuery gives cudaSuccess when the work is done
// kind:     stream-race
// point-at: line 37
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = 5;
}
int main() {
    const int n = 3000;
    int *h, *d;
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&d, n * sizeof(int)));
    cudaStream_t s;
    cudaEvent_t done;
    CK(cudaStreamCreate(&s)); CK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    fill<<<12, 256, 0, s>>>(d, n);
    CK(cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, s));
    CK(cudaEventRecord(done, s));
#ifdef FIXED
    while (cudaEventQuery(done) != cudaSuccess) {}
#else
    int polls = 0;
    while (cudaEventQuery(done) == cudaSuccess && ++polls < 100) {}
#endif
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += h[i];        // <-- BUG
    printf("%ld\n", sum);
    CK(cudaDeviceSynchronize());
    CK(cudaEventDestroy(done)); CK(cudaStreamDestroy(s)); CK(cudaFreeHost(h)); CK(cudaFree(d));
}
