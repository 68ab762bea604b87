// id:       freed-in-the-stream-before-its-reader
// chapter:  streams
// did:      queued cudaFreeAsync before the kernel that still reads
// cause:    in stream order the memory is gone when the kernel runs
// kind:     use-after-free
// point-at: line 15 (also accept: 26)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* a, int v) { a[threadIdx.x] = v; }
__global__ void sum(const int* a, int* out) {
    atomicAdd(out, a[threadIdx.x]);                 // <-- BUG
}
int main() {
    cudaStream_t s; int *tmp, *out;
    CK(cudaStreamCreate(&s));
    CK(cudaMallocAsync(&out, sizeof(int), s)); CK(cudaMemsetAsync(out, 0, sizeof(int), s));
    CK(cudaMallocAsync(&tmp, 64 * sizeof(int), s));
    fill<<<1, 64, 0, s>>>(tmp, 2);
#ifndef FIXED
    CK(cudaFreeAsync(tmp, s));
#endif
    sum<<<1, 64, 0, s>>>(tmp, out);                 // <-- also accepted
#ifdef FIXED
    CK(cudaFreeAsync(tmp, s));
#endif
    CK(cudaGetLastError());
    CK(cudaFreeAsync(out, s));
    CK(cudaStreamSynchronize(s)); CK(cudaStreamDestroy(s));
}
