// id:       async-download-used-at-once
// chapter:  streams
// source:   GitHub NVIDIA/cudf pull request #2794; votca/xtp issue #391
// did:      used the target of a cudaMemcpyAsync without synchronising
// saw:      -1, the value the variable had before, now and then
// cause:    the copy is only queued; pinned memory makes it truly asynchronous
// kind:     stream-race
// point-at: line 35 (also accept: 31)
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void slowFill(int* a, int v) {           // takes long enough to lose the race
    int x = 0;
    for (int k = 0; k < 5000; k++) x = (x * 5 + k) & 1023;
    a[threadIdx.x] = v + (x < 0);
}
int main() {
    int *h, *d;
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    CK(cudaMallocHost(&h, 32 * sizeof(int)));
    CK(cudaMalloc(&d, 32 * sizeof(int)));
    h[31] = -1;
    slowFill<<<1, 32, 0, s>>>(d, 5);
    CK(cudaGetLastError());
    CK(cudaMemcpyAsync(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost, s));   // <-- also accepted
#ifdef FIXED
    CK(cudaStreamSynchronize(s));
#endif
    printf("saw: %d (want 5)\n", h[31]);            // <-- BUG
    CK(cudaStreamSynchronize(s));
    CK(cudaFree(d)); CK(cudaFreeHost(h)); CK(cudaStreamDestroy(s));
}
