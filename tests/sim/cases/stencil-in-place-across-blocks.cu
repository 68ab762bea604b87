// id:       stencil-in-place-across-blocks
// chapter:  warps-divergence
// did:      wrote the smoothed values back into the array they are computed from
// cause:    at the edge of a block the neighbour may be the old value or the new one
// kind:     global-race
// point-at: line 21 (also accept: 16)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void smooth(int* a, int* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool inner = i > 0 && i < n - 1;
    int v = inner ? a[i - 1] + a[i + 1] : 0;        // <-- also accepted
    __syncthreads();
#ifdef FIXED
    result[i] = v;
#else
    a[i] = v;                                       // <-- BUG
#endif
}
int main() {
    const int n = 256, m = 256;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    smooth<<<4, 64>>>(in, out, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
