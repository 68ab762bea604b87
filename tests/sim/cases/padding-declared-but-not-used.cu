// id:       padding-declared-but-not-used
// chapter:  shared-memory
// source:   GitHub deepspeedai/DeepSpeed pull request #8055
// did:      allocated rows * (cols + 1) for padding and kept indexing with stride cols
// saw:      4 to 6 % slower than intended, for years
// cause:    the padding column sits at the end of the array; the stride must be cols + 1
// kind:     perf-bank-conflict
// point-at: line 29 (also accept: 21)
// shows:    access-pattern

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

const int T = 32;
#ifdef FIXED
const int STRIDE = T + 1;
#else
const int STRIDE = T;                               // <-- also accepted
#endif
__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float block[T * (T + 1)];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    block[threadIdx.y * STRIDE + threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * T + threadIdx.x; y = blockIdx.x * T + threadIdx.y;
    out[y * n + x] = block[threadIdx.x * STRIDE + threadIdx.y];   // <-- BUG
}
int main() {
    const int n = 64;
    static float h[n * n];
    float *in, *out;
    for (int i = 0; i < n * n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    transpose<<<dim3(2, 2), dim3(32, 32)>>>(in, out, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %g (want 1; the result is right)\n", h[n]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
