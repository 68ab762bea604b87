// id:       flags-set-with-or-between-blocks
// chapter:  atomics
// did:      set bits of a shared word with |= from many blocks
// saw:      some bits are missing
// cause:    |= reads, changes and writes back, and another thread's bit is lost in between
// kind:     global-race
// point-at: line 22
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void mark(const int* v, unsigned* bits, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] == 0) return;
#ifdef FIXED
    atomicOr(&bits[i / 32], 1u << (i % 32));
#else
    bits[i / 32] |= 1u << (i % 32);                 // <-- BUG
#endif
}
int main() {
    const int n = 64;
    int h[n], *v; unsigned *bits, r[2];
    for (int i = 0; i < n; i++) h[i] = i % 3;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&bits, sizeof(r)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(bits, 0, sizeof(r)));
    mark<<<4, 16>>>(v, bits, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, bits, sizeof(r), cudaMemcpyDeviceToHost));
    printf("saw: %08x\n", r[0]);
    CK(cudaFree(v)); CK(cudaFree(bits));
}
