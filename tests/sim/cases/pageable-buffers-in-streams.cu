// id:       pageable-buffers-in-streams
// chapter:  streams
// source:   own
// did:      used memory of malloc in cudaMemcpyAsync
// cause:    the call returns when the copy is done: nothing overlaps
// kind:     perf-no-overlap
// point-at: line 36
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
#include <cstdlib>
int main() {
    const int n = 1 << 14;
    int *h, *d; cudaStream_t s[2];
    for (cudaStream_t& x : s) CK(cudaStreamCreate(&x));
#ifdef FIXED
    CK(cudaMallocHost(&h, 2 * n * sizeof(int)));
#else
    h = static_cast<int*>(malloc(2 * n * sizeof(int)));
#endif
    CK(cudaMalloc(&d, 2 * n * sizeof(int)));
    for (int i = 0; i < 2 * n; i++) h[i] = i;
    for (int p = 0; p < 2; p++) {
        CK(cudaMemcpyAsync(d + p * n, h + p * n, n * sizeof(int), cudaMemcpyHostToDevice, s[p]));  // <-- BUG
        fill<<<n / 256, 256, 0, s[p]>>>(d + p * n, n, 1);
    }
    CK(cudaDeviceSynchronize());
#ifdef FIXED
    CK(cudaFreeHost(h));
#else
    free(h);
#endif
    CK(cudaFree(d));
    for (cudaStream_t x : s) CK(cudaStreamDestroy(x));
}
