// id:       ballot-before-the-branch-names-who-comes
// chapter:  warps-divergence
// did:      reduced in a branch that some lanes do not take
// right:    the mask comes from the condition, and only values of lanes in it are added
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sumOf(const int* in, int* out, int limit) {
    int lane = threadIdx.x % 32, v = in[threadIdx.x];
    unsigned mask = __ballot_sync(0xffffffffu, v > limit);
    if (v > limit) {
        int sum = __reduce_add_sync(mask, v), leader = __ffs(mask) - 1;
        int place = __shfl_sync(mask, lane == leader ? atomicAdd(out, sum) : 0, leader);
        if (place < 0) out[1] = 1;
    }
}
int main() {
    int h[64], *in, *out;
    for (int i = 0; i < 64; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, 8));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, 8));
    sumOf<<<1, 64>>>(in, out, 20);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
