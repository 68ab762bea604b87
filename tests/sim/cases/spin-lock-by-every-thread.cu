// id:       spin-lock-by-every-thread
// chapter:  warps-divergence
// did:      let every thread of a warp take the same spin lock
// why right:since Volta diverged lanes all make progress, so the holder gives the lock back
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void append(int* lock, volatile int* length, int* list) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            list[*length] = threadIdx.x; *length = *length + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
int main() {
    int *d, n = 0;
    CK(cudaMalloc(&d, 66 * sizeof(int)));
    CK(cudaMemset(d, 0, 66 * sizeof(int)));
    append<<<1, 64>>>(d, d + 1, d + 2); CK(cudaGetLastError());
    CK(cudaMemcpy(&n, d + 1, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 64)\n", n);
    CK(cudaFree(d));
}
