// id:       histogram-shared-then-global
// chapter:  shared-memory
// did:      added to bins that all threads share, without a lock
// right:    shared and global bins are only changed by atomics, and barriers part clearing,
//           counting and adding up
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void histogram(const int* in, int* out) {
    __shared__ int bins[16];
    int t = threadIdx.x;
    if (t < 16) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * blockDim.x + t] % 16], 1);
    __syncthreads();
    if (t < 16) atomicAdd(&out[t], bins[t]);
}
int main() {
    const int n = 256, m = 16;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    histogram<<<4, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g (want 256)\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
