// id:       registered-vector-freed-under-its-copy
// chapter:  streams
// source:   written for this collection
// did:      registered a vector, queued its upload, unregistered it and let it go
// saw:      garbage in the device array, or cudaErrorHostMemoryNotRegistered
// cause:    unregistering or freeing does not wait for copies in flight
// kind:     use-after-free (also accept: stream-race, api-misuse)
// point-at: line 29
// shows:    happens-before

#include <cstdio>
#include <memory>
#include <vector>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

int main() {
    const int n = 1 << 16;
    int* d;
    cudaStream_t s;
    CK(cudaMalloc(&d, n * sizeof(int))); CK(cudaStreamCreate(&s));
    auto h = std::make_unique<std::vector<int>>(n, 7);
    CK(cudaHostRegister(h->data(), n * sizeof(int), cudaHostRegisterDefault));
    CK(cudaMemcpyAsync(d, h->data(), n * sizeof(int), cudaMemcpyHostToDevice, s));
#ifdef FIXED
    CK(cudaStreamSynchronize(s));
#endif
    CK(cudaHostUnregister(h->data()));              // <-- BUG
    h.reset();
    CK(cudaStreamSynchronize(s));
    CK(cudaStreamDestroy(s)); CK(cudaFree(d));
}
