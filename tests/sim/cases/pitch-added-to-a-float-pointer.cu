// id:       pitch-added-to-a-float-pointer
// chapter:  memory-hierarchy
// source:   GitHub kokkos/mdspan issue #117 and forum questions on cudaMallocPitch
// did:      found a row as base + y * pitch with a float pointer
// cause:    the pitch counts bytes, and the addition counts floats
// kind:     out-of-bounds
// point-at: line 22

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(float* img, size_t pitch, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= w || y >= h) return;
#ifdef FIXED
    float* row = (float*)((char*)img + y * pitch);
#else
    float* row = img + y * pitch;
#endif
    row[x] = float(x + y);                          // <-- BUG
}
int main() {
    const int w = 100, h = 16;
    float* d; size_t pitch;
    CK(cudaMallocPitch(&d, &pitch, w * sizeof(float), h));
    fill<<<dim3(1, h), 128>>>(d, pitch, w, h);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(d));
}
