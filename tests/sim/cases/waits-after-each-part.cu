// id:       waits-after-each-part
// chapter:  streams
// source:   own
// did:      synchronised inside the loop that feeds the streams
// cause:    the host hands the next stream its work only when the last one is done
// kind:     perf-no-overlap
// point-at: line 33
// shows:    timeline

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
    const int n = 1 << 14, parts = 4;
    int *h, *d; cudaStream_t s[2];
    for (cudaStream_t& x : s) CK(cudaStreamCreate(&x));
    CK(cudaMallocHost(&h, parts * n * sizeof(int))); CK(cudaMalloc(&d, parts * n * sizeof(int)));
    for (int i = 0; i < parts * n; i++) h[i] = i;
    for (int p = 0; p < parts; p++) {
        CK(cudaMemcpyAsync(d + p * n, h + p * n, n * sizeof(int), cudaMemcpyHostToDevice, s[p % 2]));
        fill<<<n / 256, 256, 0, s[p % 2]>>>(d + p * n, n, 1);
#ifndef FIXED
        CK(cudaStreamSynchronize(s[p % 2]));        // <-- BUG
#endif
    }
    CK(cudaDeviceSynchronize());
    CK(cudaFreeHost(h)); CK(cudaFree(d));
    for (cudaStream_t x : s) CK(cudaStreamDestroy(x));
}
