// id:       four-pixels-at-a-time
// chapter:  memory-hierarchy
// did:      read four pixels at once in rows of 50 pixels without a pitch
// cause:    the second row begins two bytes past a multiple of four
// kind:     misaligned
// point-at: line 17 (also accept: 19)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void brighten(unsigned char* img, int pitch, int w) {
    unsigned char* row = img + blockIdx.x * pitch;
    int i = threadIdx.x;
    if (i < w / 4) {
        uchar4 p = reinterpret_cast<uchar4*>(row)[i];   // <-- BUG
        p.x += 1; p.y += 1; p.z += 1; p.w += 1;
        reinterpret_cast<uchar4*>(row)[i] = p;      // <-- also accepted
    }
    if (i < w % 4) row[w / 4 * 4 + i] += 1;
}
int main() {
    const int w = 50, h = 4;
#ifdef FIXED
    const int pitch = 52;
#else
    const int pitch = w;
#endif
    unsigned char* d;
    CK(cudaMalloc(&d, pitch * h)); CK(cudaMemset(d, 0, pitch * h));
    brighten<<<h, 32>>>(d, pitch, w);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(d));
}
