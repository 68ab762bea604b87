// id:       ticket-put-back-by-every-block
// chapter:  warps-divergence
// did:      let every block put the ticket counter back to 0 for the next launch
// cause:    other blocks still draw; only the block that drew the last ticket knows that all have
// kind:     global-race
// point-at: line 35 (also accept: 22)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ unsigned drawn;

__global__ void sum(int* parts, int* out) {
    __shared__ bool last;
    const int t = threadIdx.x;
    if (t == 0) {
        parts[blockIdx.x] = blockIdx.x;
        __threadfence();
        // Who draws the last ticket knows that all have drawn.
        last = atomicAdd(&drawn, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int s = 0;
        for (int i = 0; i < gridDim.x; i++) s += parts[i];
        *out = s;
#ifdef FIXED
        drawn = 0;
#endif
    }
#ifndef FIXED
    if (t == 0)
        drawn = 0;                                         // <-- BUG
#endif
}

int main() {
    int *parts, *out, s;
    CK(cudaMalloc(&parts, 16 * sizeof(int)));
    CK(cudaMalloc(&out, sizeof(int)));
    for (int launch = 0; launch < 2; launch++) {
        CK(cudaMemset(out, 0, sizeof(int)));
        sum<<<16, 32>>>(parts, out);
        CK(cudaGetLastError());
    }
    CK(cudaMemcpy(&s, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d\n", s);
    CK(cudaFree(parts)); CK(cudaFree(out));
}
