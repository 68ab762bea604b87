// id:       query-taken-for-a-wait
// chapter:  streams
// source:   written for this collection
// did:      called cudaStreamQuery, ignored its answer and used the result
// saw:      works when the kernel is short
// cause:    the query only asks; cudaErrorNotReady says that the result is not there
// kind:     stream-race
// point-at: line 34
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void squares(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i * i;
}
int main() {
    const int n = 1024;
    int *h, *d;
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&d, n * sizeof(int)));
    for (int i = 0; i < n; ++i) h[i] = 0;
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    squares<<<4, 256, 0, s>>>(d, n);
    CK(cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, s));
#ifdef FIXED
    while (cudaStreamQuery(s) == cudaErrorNotReady) {}
#else
    cudaStreamQuery(s);
#endif
    printf("%d\n", h[10]);                          // <-- BUG
    CK(cudaStreamSynchronize(s));
    CK(cudaStreamDestroy(s)); CK(cudaFreeHost(h)); CK(cudaFree(d));
}
