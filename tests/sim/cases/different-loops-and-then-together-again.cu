// id:       different-loops-and-then-together-again
// chapter:  warps-divergence
// did:      shuffled behind a loop whose length differs from lane to lane
// right:    the shuffle waits for every lane of its mask
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sums(const int* length, int* out) {
    __shared__ int s[32];
    int lane = threadIdx.x, v = 0;
    for (int k = 0; k < length[lane]; k++) v += k;
    s[lane] = v;
    __syncwarp();
    v = s[31 - lane];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (lane == 0) *out = v;
}
int main() {
    int h[32], *length, *out;
    for (int i = 0; i < 32; i++) h[i] = i % 9;
    CK(cudaMalloc(&length, sizeof(h))); CK(cudaMalloc(&out, 4));
    CK(cudaMemcpy(length, h, sizeof(h), cudaMemcpyHostToDevice));
    sums<<<1, 32>>>(length, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(length)); CK(cudaFree(out));
}
