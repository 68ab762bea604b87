// id:       wait-on-the-other-buffers-event
// chapter:  streams
// source:   written for this collection
// did:      waited for the event of buffer (k + 1) % 2 before using buffer k
// saw:      every other tile is from the round before
// cause:    the wait is for the wrong copy
// kind:     stream-race
// point-at: line 44
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum(const int* v, int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, v[i]);
}
int main() {
    const int n = 1024, tiles = 4;
    int *h, *d[2], *out;
    CK(cudaMallocHost(&h, tiles * n * sizeof(int)));
    for (int i = 0; i < tiles * n; ++i) h[i] = i;
    CK(cudaMalloc(&out, sizeof(int))); CK(cudaMemset(out, 0, sizeof(int)));
    cudaStream_t copy, work;
    CK(cudaStreamCreate(&copy)); CK(cudaStreamCreate(&work));
    cudaEvent_t full[2], empty[2];
    for (int k = 0; k < 2; ++k) {
        CK(cudaMalloc(&d[k], n * sizeof(int)));
        CK(cudaEventCreateWithFlags(&full[k], cudaEventDisableTiming));
        CK(cudaEventCreateWithFlags(&empty[k], cudaEventDisableTiming));
    }
    for (int t = 0; t < tiles; ++t) {
        const int k = t % 2;
        if (t >= 2) CK(cudaStreamWaitEvent(copy, empty[k], 0));
        CK(cudaMemcpyAsync(d[k], h + t * n, n * sizeof(int), cudaMemcpyHostToDevice, copy));
        CK(cudaEventRecord(full[k], copy));
#ifdef FIXED
        CK(cudaStreamWaitEvent(work, full[k], 0));
#else
        if (t > 0) CK(cudaStreamWaitEvent(work, full[(k + 1) % 2], 0));
#endif
        sum<<<4, 256, 0, work>>>(d[k], n, out);     // <-- BUG
        CK(cudaEventRecord(empty[k], work));
    }
    CK(cudaDeviceSynchronize());
    for (int k = 0; k < 2; ++k) {
        CK(cudaFree(d[k])); CK(cudaEventDestroy(full[k])); CK(cudaEventDestroy(empty[k]));
    }
    CK(cudaStreamDestroy(copy)); CK(cudaStreamDestroy(work)); CK(cudaFreeHost(h)); CK(cudaFree(out));
}
