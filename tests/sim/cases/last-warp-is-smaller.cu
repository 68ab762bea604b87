// id:       last-warp-is-smaller
// chapter:  warps-divergence
// did:      used the full mask in a block of 48 threads
// why right:lanes that the block does not have are not waited for, and no value of theirs is used
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void count(const int* v, int* out, int n) {
    int t = threadIdx.x;
    unsigned odd = __ballot_sync(0xffffffffu, v[t] & 1);
    int first = __shfl_sync(0xffffffffu, v[t], 0);
    __syncwarp();
    out[t] = __popc(odd) + first;
}
int main() {
    int h[48], *v, *out;
    for (int i = 0; i < 48; i++) h[i] = i;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    count<<<1, 48>>>(v, out, 48); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d %d (want 16 40)\n", h[0], h[47]);
    CK(cudaFree(v)); CK(cudaFree(out));
}
