// id:       both-partners-of-a-pair
// chapter:  programming-model
// did:      added a force to both of its particles without an atomic
// cause:    neighbouring threads update the same particle
// kind:     global-race
// point-at: line 21 (also accept: 22)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void forces(const float* x, float* f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= n) return;
    float d = x[i + 1] - x[i];
#ifdef FIXED
    atomicAdd(&f[i], d);
    atomicAdd(&f[i + 1], -d);
#else
    f[i] += d;                                      // <-- BUG
    f[i + 1] -= d;                                  // <-- also accepted
#endif
}
int main() {
    const int n = 128;
    static float h[n]; float *x, *f;
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&f, sizeof h));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice)); CK(cudaMemset(f, 0, sizeof h));
    forces<<<2, 64>>>(x, f, n);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(x)); CK(cudaFree(f));
}
