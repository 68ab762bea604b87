// id:       block-barrier-taken-for-a-grid-barrier
// chapter:  warps-divergence
// did:      used __syncthreads() between a phase that writes and one that reads what other blocks
//           wrote
// cause:    __syncthreads() waits for the own block only; the second phase is a second kernel
// kind:     global-race
// point-at: line 18 (also accept: 16)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void reverse(const int* in, int* out, int phase) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    if (phase != 2) out[i] = in[i];                 // <-- also accepted
    __syncthreads();
    if (phase != 1) out[n + i] = out[n - 1 - i];    // <-- BUG
}
int main() {
    const int n = 256, m = 512;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
#ifdef FIXED
    reverse<<<4, 64>>>(in, out, 1);
    reverse<<<4, 64>>>(in, out, 2);
#else
    reverse<<<4, 64>>>(in, out, 0);
#endif

    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
