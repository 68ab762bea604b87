// id:       plain-readback-beside-a-non-blocking-stream
// chapter:  streams
// source:   GitHub alpaka issue 850: cudaMemcpy does not synchronise with cudaStreamNonBlocking
// did:      computed in a non-blocking stream and fetched the result with plain cudaMemcpy
// saw:      right on one machine, old data on another
// cause:    a non-blocking stream has no order with the default stream, in which cudaMemcpy
//           works
// kind:     stream-race
// point-at: line 33
// shows:    happens-before

#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = 3;
}
int main() {
    const int n = 5000;
    std::vector<int> h(n);
    int* v;
    cudaStream_t s;
    CK(cudaMalloc(&v, n * sizeof(int)));
    CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    fill<<<20, 256, 0, s>>>(v, n);
#ifdef FIXED
    CK(cudaStreamSynchronize(s));
#endif
    CK(cudaMemcpy(h.data(), v, n * sizeof(int), cudaMemcpyDeviceToHost));  // <-- BUG
    printf("%d\n", h[n - 1]);
    CK(cudaStreamSynchronize(s));
    CK(cudaStreamDestroy(s)); CK(cudaFree(v));
}
