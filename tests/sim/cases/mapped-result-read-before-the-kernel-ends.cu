// id:       mapped-result-read-before-the-kernel-ends
// chapter:  streams
// source:   written for this collection
// did:      let a kernel write its sum into mapped host memory and read it after the launch
// saw:      0, or the last call's sum
// cause:    zero-copy spares the copy, not the waiting
// kind:     stream-race
// point-at: line 32
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void total(const int* v, int n, int* result) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += v[i];
    *result = sum;
}
int main() {
    const int n = 100;
    int *h, *dev, *v;
    CK(cudaHostAlloc(&h, sizeof(int), cudaHostAllocMapped));
    *h = 0;
    CK(cudaHostGetDevicePointer(&dev, h, 0));
    CK(cudaMalloc(&v, n * sizeof(int))); CK(cudaMemset(v, 0, n * sizeof(int)));
    total<<<1, 1>>>(v, n, dev);
#ifdef FIXED
    CK(cudaDeviceSynchronize());
#endif
    printf("%d\n", *h);                             // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaFree(v)); CK(cudaFreeHost(h));
}
