// id:       two-locks-in-opposite-order
// chapter:  warps-divergence
// did:      took two locks, half of the threads in one order and half in the other
// cause:    each side holds the lock that the other wants
// kind:     deadlock
// point-at: line 14 (also accept: 22, 28)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ void lock(int* l) { while (atomicCAS(l, 0, 1) != 0) __nanosleep(20); }   // <-- BUG
__device__ void unlock(int* l) { __threadfence(); atomicExch(l, 0); }
__global__ void transfer(int* locks, volatile int* met) {
#ifdef FIXED
    int a = 0;
#else
    int a = blockIdx.x;
#endif
    lock(&locks[a]);                                // <-- also accepted
    if (a == (int)blockIdx.x && a == 0) met[0] = 1;
#ifndef FIXED
    met[a] = 1;
    while (met[1 - a] == 0) {}                      // both hold their first lock now
#endif
    lock(&locks[1 - a]);                            // <-- also accepted
    unlock(&locks[1 - a]); unlock(&locks[a]);
}
int main() {
    int* d;
    CK(cudaMalloc(&d, 4 * sizeof(int)));
    CK(cudaMemset(d, 0, 4 * sizeof(int)));
    transfer<<<2, 1>>>(d, d + 2); CK(cudaGetLastError());
    printf("saw: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    CK(cudaFree(d));
}
