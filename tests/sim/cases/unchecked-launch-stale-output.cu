// id:       unchecked-launch-stale-output
// chapter:  programming-model
// source:   GitHub eyalroz/cuda-api-wrappers issue #545; fastfields/fastfields-lib issue #152
// did:      launched without asking cudaGetLastError, with a block size that grew past the limit
// saw:      no error anywhere: the second pass returns the first pass's numbers
// cause:    the second launch was rejected; only cudaGetLastError right after it would say so
// kind:     launch-error
// point-at: line 34
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void power(const int* in, int* out, int n, int p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, r = 1;
    for (int k = 0; k < p; k++) r *= i < n ? in[i] : 1;
    if (i < n) out[i] = r;
}
int main() {
    const int n = 512;
    int h[n], *in, *out;
    for (int i = 0; i < n; i++) h[i] = 3;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    power<<<2, 256>>>(in, out, n, 2);
    CK(cudaGetLastError());
#ifdef FIXED
    power<<<1, 512>>>(in, out, n, 3);
    CK(cudaGetLastError());
#else
    power<<<1, 1500>>>(in, out, n, 3);              // <-- BUG
#endif
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: 3^3 = %d (want 27)\n", h[0]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
