// id:       fence-of-block-scope-between-blocks
// chapter:  warps-divergence
// did:      used the cheaper __threadfence_block() before the ticket
// cause:    it orders writes for the own block only; other blocks need __threadfence()
// kind:     global-race
// point-at: line 26 (also accept: 18)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ unsigned ticket;
__global__ void total(const int* in, int* part, int* out) {
    if (threadIdx.x != 0) return;
    int b = blockIdx.x, s = 0;
    for (int i = 0; i < 64; i++) s += in[64 * b + i];
    part[b] = s;                                    // <-- also accepted
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    if (atomicAdd(&ticket, 1u) == gridDim.x - 1) {
        __threadfence();
        for (unsigned i = 0; i < gridDim.x; i++) *out += part[i];   // <-- BUG
    }
}
int main() {
    const int n = 256, m = 8;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    total<<<4, 32>>>(in, out + 1, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
