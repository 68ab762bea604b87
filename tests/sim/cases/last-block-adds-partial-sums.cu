// id:       last-block-adds-partial-sums
// chapter:  warps-divergence
// did:      let the block that finishes last add what all blocks wrote, with no fence where it
//           reads
// right:    the programming guide's own example: each partial sum is fenced before the ticket, and
//           the ticket is an atomic
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ unsigned ticket;
__global__ void total(const int* in, volatile int* part, int* out) {
    __shared__ bool last;
    int t = threadIdx.x, b = blockIdx.x;
    __shared__ int s[64];
    s[t] = in[b * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        part[b] = s[0];
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++) sum += part[i];
        *out = sum;
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
    total<<<4, 64>>>(in, out + 1, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
