// id:       every-thread-fences-then-one-ticket
// chapter:  warps-divergence
// did:      let one thread of each block take the ticket for what all its threads wrote
// right:    each thread fences what it wrote before the barrier that the ticket comes after
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ unsigned ticket;
__global__ void squares(const int* in, int* part, int* out) {
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[i] = in[i] * in[i];
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        int sum = 0;
        for (unsigned k = t; k < gridDim.x * blockDim.x; k += blockDim.x) sum += part[k];
        atomicAdd(out, sum);
    }
}
int main() {
    const int n = 256, m = 257;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    squares<<<4, 64>>>(in, out + 1, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
