// id:       block-scope-atomic-across-blocks
// chapter:  warps-divergence
// did:      replaced atomicAdd by the faster atomicAdd_block
// cause:    it is atomic only among the threads of one block, and all blocks add to the same place
// kind:     global-race
// point-at: line 18

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void total(const int* in, int* out) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef FIXED
    atomicAdd(out, v);
#else
    atomicAdd_block(out, v);                        // <-- BUG
#endif
}
int main() {
    const int n = 256, m = 1;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    total<<<4, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g (want 32640)\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
