// id:       upload-buffer-refilled-too-early
// chapter:  streams
// source:   own
// did:      filled the one pinned buffer again while its last upload was queued
// cause:    cudaMemcpyAsync from pinned memory returns before the bytes are read
// kind:     stream-race
// point-at: line 30
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
    int *h, *d; cudaStream_t s;
    CK(cudaStreamCreate(&s));
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&d, 2 * n * sizeof(int)));
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < n; i++)
            h[i] = part * n + i;                    // <-- BUG
        CK(cudaMemcpyAsync(d + part * n, h, n * sizeof(int), cudaMemcpyHostToDevice, s));
#ifdef FIXED
        CK(cudaStreamSynchronize(s));
#endif
    }
    CK(cudaStreamSynchronize(s));
    int first;
    CK(cudaMemcpy(&first, d, sizeof first, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 0)\n", first);
    CK(cudaFree(d)); CK(cudaFreeHost(h)); CK(cudaStreamDestroy(s));
}
