// id:       lock-given-back-by-a-plain-store
// chapter:  warps-divergence
// did:      unlocked with a plain store
// cause:    a plain store is ordered after nothing, and races with those who try the lock
// kind:     global-race
// point-at: line 19 (also accept: 24)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void add(int* lock, double* sum) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
#ifdef FIXED
        __threadfence();
#endif
        *sum += 1.5;                                // <-- BUG
#ifdef FIXED
        __threadfence();
        atomicExch(lock, 0);
#else
        *lock = 0;                                  // <-- also accepted
#endif
    }
}
int main() {
    double* s; int* l;
    CK(cudaMalloc(&s, 8)); CK(cudaMalloc(&l, 4)); CK(cudaMemset(s, 0, 8)); CK(cudaMemset(l, 0, 4));
    add<<<8, 32>>>(l, s);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(s)); CK(cudaFree(l));
}
