// id:       syncwarp-of-those-that-stayed
// chapter:  warps-divergence
// did:      returned with some lanes, and ordered the others with __syncwarp()
// right:    __syncwarp() waits for the named lanes that have not left
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void stay(const int* in, int* out, int n) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    unsigned rest = __ballot_sync(0xffffffffu, lane < n);
    if (lane >= n) return;
    s[lane] = in[lane];
    __syncwarp();
    int v = s[n - 1 - lane];
    __syncwarp(rest);
    s[lane] = v;
    __syncwarp(rest);
    out[lane] = s[n - 1 - lane] + __shfl_sync(rest, v, 0);
}
int main() {
    int h[32], *in, *out;
    for (int i = 0; i < 32; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    stay<<<1, 32>>>(in, out, 20);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 80, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
