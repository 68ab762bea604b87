// id:       host-function-between-two-copies
// chapter:  streams
// source:   written for this collection
// did:      changed the pinned result in a host function and copied it back, all in one stream
// saw:      the host touches a buffer that copies use, and nobody waits
// cause:    the function runs in the stream's order: after the first copy, before the second
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

static const int n = 1000;
void increase(void* p) {
    int* h = static_cast<int*>(p);
    for (int i = 0; i < n; ++i) h[i] += 1;
}
__global__ void fill(int* v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i;
}
int main() {
    int *h, *d;
    cudaStream_t s;
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&d, n * sizeof(int))); CK(cudaStreamCreate(&s));
    fill<<<4, 256, 0, s>>>(d);
    CK(cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, s));
    CK(cudaLaunchHostFunc(s, increase, h));
    CK(cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, s));
    CK(cudaStreamSynchronize(s));
    printf("%d\n", h[5]);
    CK(cudaStreamDestroy(s)); CK(cudaFree(d)); CK(cudaFreeHost(h));
}
