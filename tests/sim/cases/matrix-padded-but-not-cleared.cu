// id:       matrix-padded-but-not-cleared
// chapter:  matmul
// did:      allocated matrices up to whole tiles and copied only what is real
// cause:    what lies between is whatever the memory held
// kind:     uninitialised-read
// point-at: line 23 (also accept: 19, 20)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#define T 16
__global__ void mm(const float* A, const float* B, float* C, int n) {
    __shared__ float a[T][T], b[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float s = 0;
    for (int m = 0; m < n / T; m++) {
        a[ty][tx] = A[row * n + m * T + tx];        // <-- also accepted
        b[ty][tx] = B[(m * T + ty) * n + col];      // <-- also accepted
        __syncthreads();
        for (int k = 0; k < T; k++)
            s += a[ty][k] * b[k][tx];               // <-- BUG
        __syncthreads();
    }
    C[row * n + col] = s;
}
int main() {
    const int n = 20, p = 32;
    static float h[n * n]; float *a, *b, *c;
    CK(cudaMalloc(&a, p * p * 4)); CK(cudaMalloc(&b, p * p * 4)); CK(cudaMalloc(&c, p * p * 4));
#ifdef FIXED
    CK(cudaMemset(a, 0, p * p * 4)); CK(cudaMemset(b, 0, p * p * 4));
#endif
    CK(cudaMemcpy2D(a, p * 4, h, n * 4, n * 4, n, cudaMemcpyHostToDevice));
    CK(cudaMemcpy2D(b, p * 4, h, n * 4, n * 4, n, cudaMemcpyHostToDevice));
    mm<<<dim3(2, 2), dim3(T, T)>>>(a, b, c, p);
    CK(cudaGetLastError());
    CK(cudaMemcpy2D(h, n * 4, c, p * 4, n * 4, n, cudaMemcpyDeviceToHost));
    CK(cudaFree(a)); CK(cudaFree(b)); CK(cudaFree(c));
}
