// id:       tile-leaves-room-for-one-block
// chapter:  warps-divergence
// did:      asked for the most shared memory there is, though each thread uses one element of it
// saw:      slower than without the tile; an occupancy of a few per cent
// cause:    one block of 128 threads fits on a multiprocessor: nobody works while it waits
// kind:     perf-occupancy
// point-at: line 14 (also accept: 15, 16)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void turn_round(float* v) {              // <-- BUG (at its launch)
    extern __shared__ float tile[];
    float* part = v + blockIdx.x * blockDim.x;
    tile[threadIdx.x] = part[threadIdx.x];
    __syncthreads();
    part[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
int main() {
    const int blocks = 128, threads = 128;
#ifdef FIXED
    const int bytes = threads * sizeof(float);
#else
    const int bytes = 96 * 1024;
#endif
    float* v;
    CK(cudaMalloc(&v, blocks * threads * sizeof(float)));
    CK(cudaMemset(v, 0, blocks * threads * sizeof(float)));
    CK(cudaFuncSetAttribute(turn_round, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    turn_round<<<blocks, threads, bytes>>>(v);
    CK(cudaGetLastError());
    printf("saw: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    CK(cudaFree(v));
}
