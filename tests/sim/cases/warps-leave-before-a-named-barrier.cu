// id:       warps-leave-before-a-named-barrier
// chapter:  debugging
// did:      let whole warps leave, and the rest wait at a barrier that counts just them
// right:    a named barrier counts the threads that it names, and those all come
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void twoOfFour(int* out) {
    __shared__ int s[64];
    if (threadIdx.x >= 64) return;
    s[threadIdx.x] = threadIdx.x;
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    int h[64], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    twoOfFour<<<1, 128>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(out));
}
