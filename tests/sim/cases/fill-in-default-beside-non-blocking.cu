// id:       fill-in-default-beside-non-blocking
// chapter:  streams
// source:   own
// did:      cleared with cudaMemset, then launched in a non-blocking stream
// cause:    cudaMemset is queued in the default stream, which non-blocking streams do not wait for
// kind:     stream-race
// point-at: line 33 (also accept: 32)
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
    int* d; cudaStream_t s;
#ifdef FIXED
    CK(cudaStreamCreate(&s));
#else
    CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
#endif
    CK(cudaMalloc(&d, n * sizeof(int)));
    CK(cudaMemset(d, 0, n * sizeof(int)));          // <-- also accepted
    fill<<<2, 256, 0, s>>>(d, n / 2, 3);            // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaFree(d)); CK(cudaStreamDestroy(s));
}
