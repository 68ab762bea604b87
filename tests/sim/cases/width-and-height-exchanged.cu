// id:       width-and-height-exchanged
// chapter:  memory-hierarchy
// did:      gave cudaMemset2D the height before the width
// cause:    the width, in bytes, comes first
// kind:     out-of-bounds (also accept: api-misuse)
// point-at: line 20

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

int main() {
    const int w = 64, h = 200;
    float* d; size_t pitch;
    CK(cudaMallocPitch(&d, &pitch, w * sizeof(float), h));
#ifdef FIXED
    CK(cudaMemset2D(d, pitch, 0, w * sizeof(float), h));
#else
    CK(cudaMemset2D(d, pitch, 0, h, w * sizeof(float)));   // <-- BUG
#endif
    CK(cudaFree(d));
}
