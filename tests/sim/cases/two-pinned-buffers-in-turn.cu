// id:       two-pinned-buffers-in-turn
// chapter:  streams
// source:   own
// did:      refilled pinned buffers in a loop, one event for each
// cause:    the host waits for the event of the buffer before it writes it again
// kind:     none
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
    const int n = 1000, parts = 6;
    int *h, *d; cudaStream_t s; cudaEvent_t sent[2];
    CK(cudaStreamCreate(&s));
    for (cudaEvent_t& e : sent) CK(cudaEventCreate(&e));
    CK(cudaMallocHost(&h, 2 * n * sizeof(int))); CK(cudaMalloc(&d, parts * n * sizeof(int)));
    for (int p = 0; p < parts; p++) {
        int* buffer = h + p % 2 * n;
        CK(cudaEventSynchronize(sent[p % 2]));
        for (int i = 0; i < n; i++) buffer[i] = p * n + i;
        CK(cudaMemcpyAsync(d + p * n, buffer, n * sizeof(int), cudaMemcpyHostToDevice, s));
        CK(cudaEventRecord(sent[p % 2], s));
    }
    CK(cudaStreamSynchronize(s));
    CK(cudaFree(d)); CK(cudaFreeHost(h)); CK(cudaStreamDestroy(s));
    for (cudaEvent_t e : sent) CK(cudaEventDestroy(e));
}
