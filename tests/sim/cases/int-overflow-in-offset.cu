// id:       int-overflow-in-offset
// chapter:  memory-hierarchy
// source:   GitHub NVIDIA/cudf pull request #13895; chainer/chainer pull request #8389
// did:      computed 64-bit offsets with int operands
// saw:      negative offsets above 2^31 elements, found only by large inputs
// cause:    the product is formed in 32 bits before it is widened
// kind:     wrong-result
// point-at: line 22
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void offsets(long long* off, int chunk, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    if (i < n) off[i] = (long long)i * chunk;
#else
    if (i < n) off[i] = i * chunk;                  // <-- BUG
#endif
}
int main() {
    const int n = 8, chunk = 500000000;             // elements per chunk
    long long h[n], *d;
    CK(cudaMalloc(&d, sizeof(h)));
    offsets<<<1, 32>>>(d, chunk, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: offset 7 = %lld (want 3500000000)\n", h[7]);
    CK(cudaFree(d));
}
