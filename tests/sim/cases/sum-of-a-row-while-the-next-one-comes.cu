// id:       sum-of-a-row-while-the-next-one-comes
// chapter:  matmul
// source:   GitHub NVIDIA/cuml pull request #6578 (_block_gemv)
// did:      let thread 0 add up what all had written, in a loop
// cause:    the others go on to the next row and overwrite it
// kind:     shared-race
// point-at: line 17 (also accept: 21)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void gemv(const float* A, const float* x, float* y, int rows) {
    __shared__ float s[64];
    for (int r = 0; r < rows; r++) {
        s[threadIdx.x] = A[r * 64 + threadIdx.x] * x[threadIdx.x];   // <-- BUG
        __syncthreads();
        if (threadIdx.x == 0) {
            float sum = 0;
            for (int i = 0; i < 64; i++) sum += s[i];   // <-- also accepted
            y[r] = sum;
        }
#ifdef FIXED
        __syncthreads();
#endif
    }
}
int main() {
    static float h[8 * 64]; float *a, *x, *y;
    CK(cudaMalloc(&a, sizeof h)); CK(cudaMalloc(&x, 256)); CK(cudaMalloc(&y, 32));
    CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice)); CK(cudaMemcpy(x, h, 256, cudaMemcpyHostToDevice));
    gemv<<<1, 64>>>(a, x, y, 8);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(a)); CK(cudaFree(x)); CK(cudaFree(y));
}
