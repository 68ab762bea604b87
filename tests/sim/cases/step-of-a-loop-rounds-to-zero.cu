// id:       step-of-a-loop-rounds-to-zero
// chapter:  programming-model
// did:      computed the stride of a loop from the block's size, with integers
// saw:      hangs for small blocks
// cause:    32 / 64 is 0, and a loop with the step 0 never ends
// kind:     deadlock
// point-at: line 22 (also accept: 23)
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* out, int n) {
#ifdef FIXED
    int step = (blockDim.x + 63) / 64;
#else
    int step = blockDim.x / 64;
#endif
    for (int i = threadIdx.x; i < n; i += step)     // <-- BUG
        out[i] = 1;
}
int main() {
    int *out, h = 0;
    CK(cudaMalloc(&out, 256));
    fill<<<1, 32>>>(out, 64);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h);
    CK(cudaFree(out));
}
