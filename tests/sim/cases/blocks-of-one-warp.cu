// id:       blocks-of-one-warp
// chapter:  warps-divergence
// did:      launched many blocks of 32 threads
// saw:      right, and slow
// cause:    a multiprocessor holds so many blocks at a time, and each has a single warp
// kind:     perf-occupancy
// point-at: line 16 (also accept: 27)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void scale(float* v, float f) {          // <-- BUG
    v[blockIdx.x * blockDim.x + threadIdx.x] *= f;
}
int main() {
    const int n = 1 << 16;
    float *v, h = 0;
    CK(cudaMalloc(&v, n * 4));
    CK(cudaMemset(v, 0, n * 4));
#ifdef FIXED
    scale<<<n / 256, 256>>>(v, 2);
#else
    scale<<<n / 32, 32>>>(v, 2);
#endif
    CK(cudaGetLastError());
    CK(cudaMemcpy(&h, v, 4, cudaMemcpyDeviceToHost));
    printf("saw: %g\n", h);
    CK(cudaFree(v));
}
