// id:       flag-that-nobody-cleared
// chapter:  warps-divergence
// did:      awaited a flag in memory fresh from cudaMalloc
// cause:    until somebody writes it the flag is what the memory held, perhaps the awaited value
// kind:     uninitialised-read
// point-at: line 18

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void relay(int* data, volatile int* ready, int* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        data[0] = 5; __threadfence(); ready[0] = 1;
    }
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (ready[0] != 1) {}                    // <-- BUG
        __threadfence();
        out[0] = ((volatile int*)data)[0];
    }
}
int main() {
    int *d, *r, *o;
    CK(cudaMalloc(&d, 4)); CK(cudaMalloc(&r, 4)); CK(cudaMalloc(&o, 4));
#ifdef FIXED
    CK(cudaMemset(r, 0, 4));
#endif
    relay<<<2, 32>>>(d, r, o);
    CK(cudaGetLastError()); CK(cudaDeviceSynchronize());
    CK(cudaFree(d)); CK(cudaFree(r)); CK(cudaFree(o));
}
