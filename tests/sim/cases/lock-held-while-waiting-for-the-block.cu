// id:       lock-held-while-waiting-for-the-block
// chapter:  debugging
// did:      kept a lock of the block while waiting at a barrier
// saw:      hangs
// cause:    the barrier needs all threads, and the others spin for the lock
// kind:     deadlock
// point-at: line 20 (also accept: 28)
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void turns(int* out) {
    __shared__ int lock, sum;
    if (threadIdx.x == 0) { lock = 0; sum = 0; }
    __syncthreads();
    while (atomicCAS(&lock, 0, 1) != 0) { }         // <-- BUG
    __threadfence_block();
    sum += threadIdx.x;
#ifdef FIXED
    __threadfence_block();
    atomicExch(&lock, 0);
    __syncthreads();
#else
    __syncthreads();
    __threadfence_block();
    atomicExch(&lock, 0);
#endif
    if (threadIdx.x == 0) *out = sum;
}
int main() {
    int *out, sum = 0;
    CK(cudaMalloc(&out, sizeof(int)));
    turns<<<1, 64>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", sum);
    CK(cudaFree(out));
}
