// id:       pool-memory-freed-with-cudafree
// chapter:  streams
// source:   GitHub kokkos issue 9307: cudaFree does not imply cudaDeviceSynchronize
// did:      freed memory of cudaMallocAsync with cudaFree while a kernel may still use it
// saw:      corruption in whatever gets that memory next
// cause:    for such memory cudaFree waits for nothing: use cudaFreeAsync in the stream, or wait
//           first
// kind:     use-after-free (also accept: stream-race)
// point-at: line 31 (also accept: 27)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i;
}
int main() {
    const int n = 1 << 14;
    int* v;
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    CK(cudaMallocAsync(&v, n * sizeof(int), s));
    fill<<<64, 256, 0, s>>>(v, n);                  // <-- also accepted
#ifdef FIXED
    CK(cudaFreeAsync(v, s));
#else
    CK(cudaFree(v));                                // <-- BUG
#endif
    CK(cudaStreamSynchronize(s));
    CK(cudaStreamDestroy(s));
}
