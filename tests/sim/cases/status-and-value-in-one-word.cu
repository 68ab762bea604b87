// id:       status-and-value-in-one-word
// chapter:  warps-divergence
// did:      let each block wait for the sum of the one before it, without any fence
// right:    the value travels in the same 64-bit word as the flag, and that word is volatile:
//           nothing can be seen too early
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ volatile unsigned long long state[8];
__global__ void running(const int* in, int* out) {
    int b = blockIdx.x;
    if (threadIdx.x != 0) return;
    unsigned long long before = 0;
    if (b > 0) do before = state[b - 1]; while ((before >> 32) == 0);
    unsigned sum = static_cast<unsigned>(before) + in[b];
    state[b] = 1ull << 32 | sum;
    out[b] = sum;
}
int main() {
    const int n = 8, m = 8;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    running<<<8, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g (want 84)\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
