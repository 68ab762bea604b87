// id:       stream-used-after-it-was-destroyed
// chapter:  streams
// source:   written for this collection
// did:      waited for a stream that had been destroyed, and ignored the code, before reading
//           its result
// saw:      old data, or a crash in the driver
// cause:    the call fails with an invalid handle and waits for nothing
// kind:     api-misuse (also accept: stream-race)
// point-at: line 32 (also accept: 34)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = 1;
}
int main() {
    const int n = 1000;
    int *d, *h;
    cudaMalloc(&d, n * sizeof(int)); cudaMallocHost(&h, n * sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    fill<<<4, 256, 0, s>>>(d, n);
    cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, s);
#ifdef FIXED
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
#else
    cudaStreamDestroy(s);
    cudaStreamSynchronize(s);                       // <-- BUG
#endif
    printf("%d\n", h[5]);                           // <-- also accepted
    cudaDeviceSynchronize();
    cudaFree(d); cudaFreeHost(h);
}
