// id:       largest-value-falls-behind-the-last-bin
// chapter:  shared-memory
// did:      computed a bin as int(x * bins) for x from 0 to 1, both included
// cause:    x == 1 gives the bin behind the last one
// kind:     out-of-bounds
// point-at: line 22

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void hist(const float* x, int n, int* out) {
    __shared__ int bins[32];
    if (threadIdx.x < 32) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int b = int(x[i] * 32);
#ifdef FIXED
        b = min(b, 31);
#endif
        atomicAdd(&bins[b], 1);                     // <-- BUG
    }
    __syncthreads();
    if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
int main() {
    const int n = 300;
    float h[n], *x; int c[32], *b;
    for (int i = 0; i < n; i++) h[i] = i / float(n - 1);
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&b, sizeof c));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    hist<<<1, 64>>>(x, n, b);
    CK(cudaGetLastError());
    CK(cudaMemcpy(c, b, sizeof c, cudaMemcpyDeviceToHost));
    printf("%d %d\n", c[0], c[31]);
    CK(cudaFree(x)); CK(cudaFree(b));
}
