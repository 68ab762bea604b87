// id:       pool-memory-used-in-another-stream
// chapter:  streams
// source:   own
// did:      used memory of cudaMallocAsync in another stream at once
// cause:    the allocation is ordered in its own stream only
// kind:     stream-race (also accept: use-after-free)
// point-at: line 31 (also accept: 27)
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
    int* d; cudaStream_t a, b; cudaEvent_t made;
    CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b)); CK(cudaEventCreate(&made));
    CK(cudaMallocAsync(&d, n * sizeof(int), a));    // <-- also accepted
#ifdef FIXED
    CK(cudaEventRecord(made, a)); CK(cudaStreamWaitEvent(b, made, 0));
#endif
    fill<<<4, 256, 0, b>>>(d, n, 1);                // <-- BUG
    CK(cudaStreamSynchronize(b));
    CK(cudaFreeAsync(d, a)); CK(cudaStreamSynchronize(a));
    CK(cudaEventDestroy(made)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
