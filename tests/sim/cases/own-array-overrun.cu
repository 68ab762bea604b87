// id:       own-array-overrun
// chapter:  memory-hierarchy
// did:      kept a window of the last values in an array that is one too short
// cause:    the index runs over an array of the thread itself
// kind:     out-of-bounds (also accept: uninitialised-read)
// point-at: line 20 (also accept: 18, 22)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void window(const int* v, int* out, int n, int width) {
#ifdef FIXED
    int last[9];
#else
    int last[8];                                    // <-- also accepted
#endif
    for (int k = 0; k < width; k++) last[k] = v[k];   // <-- BUG
    int s = 0;
    for (int k = n; k < width; k++) s += last[k];   // <-- also accepted
    out[threadIdx.x] = s;
}
int main() {
    int h[32] = {}, *v, *out;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    window<<<1, 32>>>(v, out, 2, 9);
    CK(cudaGetLastError());
    printf("saw: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    CK(cudaFree(v)); CK(cudaFree(out));
}
