// id:       counter-of-a-grid-barrier-reset-too-early
// chapter:  debugging
// source:   GitHub NVIDIA/cuml issue #458
// did:      let the last block set the barrier's counter back for the next use
// saw:      hangs now and then
// cause:    blocks that have not looked since never see the full count
// kind:     deadlock (also accept: global-race)
// point-at: line 29
// shows:    schedule-dependent

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void twoPhases(unsigned* counter, int* a, int* b) {
    a[blockIdx.x * 32 + threadIdx.x] = blockIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef FIXED
        atomicAdd(counter, 1);
        while (atomicAdd(counter, 0) < gridDim.x) { }
#else
        if (atomicAdd(counter, 1) == gridDim.x - 1)
            atomicExch(counter, 0);
        else
            while (atomicAdd(counter, 0) < gridDim.x) { }  // <-- BUG
#endif
        __threadfence();
    }
    __syncthreads();
    b[blockIdx.x * 32 + threadIdx.x] = a[(gridDim.x - 1 - blockIdx.x) * 32 + threadIdx.x];
}
int main() {
    unsigned* counter; int *a, *b, first = 0;
    CK(cudaMalloc(&counter, 4)); CK(cudaMalloc(&a, 512)); CK(cudaMalloc(&b, 512));
    CK(cudaMemset(counter, 0, 4));
    twoPhases<<<4, 32>>>(counter, a, b);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&first, b, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", first);
    CK(cudaFree(counter)); CK(cudaFree(a)); CK(cudaFree(b));
}
