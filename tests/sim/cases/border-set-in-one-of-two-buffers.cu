// id:       border-set-in-one-of-two-buffers
// chapter:  shared-memory
// did:      filled one of two buffers and swapped them after each step
// cause:    the steps write the inside only, so the second buffer's border is never set
// kind:     uninitialised-read
// point-at: line 16

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void relax(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        b[i] = 0.5f * (a[i - 1] + a[i + 1]);        // <-- BUG
}
int main() {
    const int n = 128;
    static float h[n]; float *a, *b;
    CK(cudaMalloc(&a, sizeof h)); CK(cudaMalloc(&b, sizeof h));
    CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
    CK(cudaMemcpy(b, a, sizeof h, cudaMemcpyDeviceToDevice));
#endif
    for (int k = 0; k < 4; k++) {
        relax<<<2, 64>>>(a, b, n);
        float* t = a; a = b; b = t;
    }
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(a)); CK(cudaFree(b));
}
