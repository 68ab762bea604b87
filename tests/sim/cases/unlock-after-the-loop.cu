// id:       unlock-after-the-loop
// chapter:  warps-divergence
// source:   Stack Overflow question 'Cuda Mutex, why deadlock?' (mirrored on w3toppers.com)
// did:      spun with `break` on success; in the report the machine code put the unlock behind the
//           point where the warp converges (here that order is written out)
// saw:      deadlock with `break`, none with a flag variable: looks like a compiler bug
// cause:    the holder waits at the convergence point for lanes that wait for the lock
// kind:     deadlock
// point-at: line 25 (also accept: 27, 36)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void append(int* lock, int* list, int* len) {
    int me = threadIdx.x;
#ifdef FIXED
    (void)lock;
    list[atomicAdd(len, 1)] = me;
    __syncwarp();
#else
    while (atomicCAS(lock, 0, 1) != 0) {}           // <-- BUG
    list[*len] = me; *len += 1;
    __syncwarp();                                   // <-- also accepted
    __threadfence();
    atomicExch(lock, 0);
#endif
}
int main() {
    int *d, n = 0;                                  // d[0] lock, d[1] length, d[2..33] list
    CK(cudaMalloc(&d, 34 * sizeof(int)));
    CK(cudaMemset(d, 0, 34 * sizeof(int)));
    append<<<1, 32>>>(d, d + 2, d + 1);             // <-- also accepted
    CK(cudaGetLastError());
    CK(cudaMemcpy(&n, d + 1, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 32; the buggy build never ends)\n", n);
    CK(cudaFree(d));
}
