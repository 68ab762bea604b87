// id:       named-barrier-waits-for-the-whole-block
// chapter:  debugging
// source:   GitHub deepseek-ai/FlashMLA pull request #57
// did:      gave a named barrier the number of threads of the block where one half uses it
// saw:      hangs
// cause:    the barrier waits for more threads than ever come
// kind:     deadlock
// point-at: line 25 (also accept: 17)
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ void meet(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
__global__ void groups(int* out) {
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 64) {
#ifdef FIXED
        meet(1, 64);
#else
        meet(1, 128);                               // <-- BUG
#endif
        out[threadIdx.x] = s[63 - threadIdx.x];
    }
}
int main() {
    int h[64], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    groups<<<1, 128>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(out));
}
