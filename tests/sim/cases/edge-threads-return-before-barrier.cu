// id:       edge-threads-return-before-barrier
// chapter:  matmul
// source:   GitHub Luce-Org/lucebox pull request #225 (review: 'early-returning threads skip later
//           __syncthreads on partial last blocks')
// did:      returned at the top for threads outside C, in a kernel that loads tiles together
// saw:      hang, or border tiles with holes: the missing threads should have loaded data
// cause:    every thread of the block has to take part in loads and barriers; guard only the store
// kind:     barrier-divergence (also accept: uninitialised-read, wrong-result)
// point-at: line 29 (also accept: 23, 30, 31)
// shows:    always (barrier check)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

const int T = 16;
__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[T][T], Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
#ifndef FIXED
    if (r >= M || c >= N) return;                   // <-- also accepted
#endif
    float acc = 0;
    for (int k0 = 0; k0 < K; k0 += T) {
        As[ty][tx] = r < M && k0 + tx < K ? A[r * K + k0 + tx] : 0;
        Bs[ty][tx] = k0 + ty < K && c < N ? B[(k0 + ty) * N + c] : 0;
        __syncthreads();                            // <-- BUG
        for (int k = 0; k < T; k++) acc += As[ty][k] * Bs[k][tx];   // <-- also accepted
        __syncthreads();                            // <-- also accepted
    }
    if (r < M && c < N) C[r * N + c] = acc;
}
int main() {
    const int M = 20, N = 24, K = 32;
    static float a[M * K], b[K * N], c[M * N];
    float *A, *B, *Cm; int bad = 0;
    for (int i = 0; i < M * K; i++) a[i] = i % 7;
    for (int i = 0; i < K * N; i++) b[i] = i % 5;
    CK(cudaMalloc(&A, sizeof(a))); CK(cudaMalloc(&B, sizeof(b))); CK(cudaMalloc(&Cm, sizeof(c)));
    CK(cudaMemcpy(A, a, sizeof(a), cudaMemcpyHostToDevice));
    CK(cudaMemcpy(B, b, sizeof(b), cudaMemcpyHostToDevice));
    CK(cudaMemset(Cm, 0, sizeof(c)));
    matmul<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, Cm, M, N, K);
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
