// id:       prefetch-to-the-host-taken-for-a-wait
// chapter:  streams
// source:   written for this collection
// did:      prefetched the result to the host and read it at once
// saw:      passes on small sizes, fails on others
// cause:    the prefetch is queued behind the kernel as all else; it waits for nothing
// kind:     stream-race
// point-at: line 33
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void twice(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= 2;
}
int main() {
    const int n = 5000;
    int* v;
    CK(cudaMallocManaged(&v, n * sizeof(int)));
    for (int i = 0; i < n; ++i) v[i] = i;
    cudaMemLocation host{cudaMemLocationTypeHost, 0}, device{cudaMemLocationTypeDevice, 0};
    CK(cudaMemPrefetchAsync(v, n * sizeof(int), device, 0, 0));
    twice<<<20, 256>>>(v, n);
    CK(cudaMemPrefetchAsync(v, n * sizeof(int), host, 0, 0));
#ifdef FIXED
    CK(cudaStreamSynchronize(0));
#endif
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += v[i];        // <-- BUG
    printf("%ld\n", sum);
    CK(cudaDeviceSynchronize());
    CK(cudaFree(v));
}
