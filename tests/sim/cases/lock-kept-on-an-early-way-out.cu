// id:       lock-kept-on-an-early-way-out
// chapter:  debugging
// source:   pages on mutexes in CUDA: a branch between lock and unlock
// did:      returned with the lock in hand when there was nothing to do
// saw:      hangs
// cause:    each way out of the critical section must give the lock back
// kind:     deadlock
// point-at: line 19
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void insert(int* lock, int* list, int* count, const int* v) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) { }          // <-- BUG
    __threadfence();
    int x = v[blockIdx.x];
#ifdef FIXED
    if (x >= 0) list[(*count)++] = x;
#else
    if (x < 0) return;
    list[(*count)++] = x;
#endif
    __threadfence();
    atomicExch(lock, 0);
}
int main() {
    int h[4] = {3, -1, 5, 7}, *v, *m;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&m, 8 * sizeof(int)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(m, 0, 8 * sizeof(int)));
    insert<<<4, 32>>>(m, m + 2, m + 1, v);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, m, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[1]);
    CK(cudaFree(v)); CK(cudaFree(m));
}
