// id:       second-barrier-of-tile-loop-missing
// chapter:  matmul
// source:   GitHub ORNL/HeCBench issue #253; tile-ai/tilelang issue #2613
// did:      kept the barrier after the tile load and dropped the one at the end of the loop
// saw:      clean with one tile; racecheck reports thousands of hazards with two or more
// cause:    a fast warp loads the next tile while a slow one still reads this one
// kind:     shared-race
// point-at: line 23 (also accept: 24, 26)
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

const int T = 16;
__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[T][T], Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float acc = 0;
    for (int k0 = 0; k0 < K; k0 += T) {
        As[ty][tx] = A[r * K + k0 + tx];            // <-- BUG
        Bs[ty][tx] = B[(k0 + ty) * N + c];          // <-- also accepted
        __syncthreads();
        for (int k = 0; k < T; k++) acc += As[ty][k] * Bs[k][tx];   // <-- also accepted
#ifdef FIXED
        __syncthreads();
#endif
    }
    C[r * N + c] = acc;
}
int main() {
    const int M = 32, N = 32, K = 64;
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
