// id:       tile-load-unguarded
// chapter:  matmul
// source:   page orangeowlsolutions.com/archives/526 (the SDK example 'is limited to multiples of
//           the tile'); GitHub orzzzjq/Parallel-Banding-Algorithm-plus issue #3
// did:      used the textbook tiled kernel on sizes that are not multiples of the tile
// saw:      illegal address or wrong border, right for 512 and 1024
// cause:    the loads of partial tiles leave the matrices; guard and zero-fill
// kind:     out-of-bounds
// point-at: line 29 (also accept: 28)
// shows:    always

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
#ifdef FIXED
        As[ty][tx] = r < M && k0 + tx < K ? A[r * K + k0 + tx] : 0;
        Bs[ty][tx] = k0 + ty < K && c < N ? B[(k0 + ty) * N + c] : 0;
#else
        As[ty][tx] = A[r * K + k0 + tx];            // <-- also accepted
        Bs[ty][tx] = B[(k0 + ty) * N + c];          // <-- BUG
#endif
        __syncthreads();
        for (int k = 0; k < T; k++) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = acc;
}
int main() {
    const int M = 40, N = 50, K = 36;
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
