// id:       padded-copy-into-a-tight-array
// chapter:  memory-hierarchy
// did:      copied rows with a pitch into an array that was allocated without one
// cause:    height times the pitch is more than was allocated
// kind:     out-of-bounds (also accept: api-misuse)
// point-at: line 23

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

int main() {
    const int w = 100, h = 8;
    static float src[h][w];
    float* d;
    size_t pitch = 512;
#ifdef FIXED
    CK(cudaMalloc(&d, pitch * h));
#else
    CK(cudaMalloc(&d, w * sizeof(float) * h));
#endif
    CK(cudaMemcpy2D(d, pitch, src, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));   // <-- BUG
    CK(cudaFree(d));
}
