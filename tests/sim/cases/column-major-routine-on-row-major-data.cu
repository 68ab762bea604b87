// id:       column-major-routine-on-row-major-data
// chapter:  matmul
// source:   GitHub mnicely/nvml_examples pull request #3; kirushyk/le issue #44
// did:      called a column-major GEMM on C arrays as if it were row-major
// saw:      garbage for rectangular sizes, a transposed product at best
// cause:    a row-major A is A^T to such a routine: ask for C^T = B^T * A^T, i.e. swap the operands
//           and sizes
// kind:     wrong-result
// point-at: line 40 (also accept: 23)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

// column-major C(m x n) = A(m x k) * B(k x n), as BLAS does it
__global__ void gemmColMajor(int m, int n, int k, const float* A, int lda, const float* B, int ldb, float* C, int ldc) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= m || j >= n) return;
    float acc = 0;
    for (int p = 0; p < k; p++) acc += A[p * lda + i] * B[j * ldb + p];   // <-- also accepted
    C[j * ldc + i] = acc;
}
int main() {
    const int M = 32, N = 48, K = 64;
    static float a[M * K], b[K * N], c[M * N];
    float *A, *B, *Cm; int bad = 0;
    for (int i = 0; i < M * K; i++) a[i] = i % 7;
    for (int i = 0; i < K * N; i++) b[i] = i % 5;
    CK(cudaMalloc(&A, sizeof(a))); CK(cudaMalloc(&B, sizeof(b))); CK(cudaMalloc(&Cm, sizeof(c)));
    CK(cudaMemcpy(A, a, sizeof(a), cudaMemcpyHostToDevice));
    CK(cudaMemcpy(B, b, sizeof(b), cudaMemcpyHostToDevice));
    CK(cudaMemset(Cm, 0, sizeof(c)));
    dim3 block(16, 16), grid(4, 4);
#ifdef FIXED
    gemmColMajor<<<grid, block>>>(N, M, K, B, N, A, K, Cm, N);
#else
    gemmColMajor<<<grid, block>>>(M, N, K, A, M, B, K, Cm, M);   // <-- BUG
#endif
    CK(cudaGetLastError());
    CK(cudaMemcpy(c, Cm, sizeof(c), cudaMemcpyDeviceToHost));
    for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) {
        float s = 0;
        for (int k = 0; k < K; k++) s += a[i * K + k] * b[k * N + j];
        bad += c[i * N + j] != s;
    }
    printf("saw: %d of %d elements wrong (want 0)\n", bad, M * N);
    CK(cudaFree(A)); CK(cudaFree(B)); CK(cudaFree(Cm));
}
