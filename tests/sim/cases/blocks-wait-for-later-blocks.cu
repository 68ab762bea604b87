// id:       blocks-wait-for-later-blocks
// chapter:  debugging
// did:      let each block wait for the one after it
// saw:      works for small inputs and hangs for large ones
// cause:    blocks start in any order and only so many at once; who waits must wait for one that has
//           surely started
// kind:     deadlock
// point-at: line 25
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void suffix(volatile int* done, int* out, int last) {
    if (threadIdx.x != 0) return;
#ifdef FIXED
    int me = last - (int)atomicAdd((int*)&out[last + 1], 1);   // in order of starting
#else
    int me = blockIdx.x;
#endif
    if (me < last)
        while (done[me + 1] == 0) { }               // <-- BUG
    __threadfence();
    out[me] = (me < last ? ((volatile int*)out)[me + 1] : 0) + 1;
    __threadfence();
    done[me] = 1;
}
int main() {
    const int blocks = 5000;
    int *done, *out, first = 0;
    CK(cudaMalloc(&done, (blocks + 1) * sizeof(int))); CK(cudaMalloc(&out, (blocks + 1) * sizeof(int)));
    CK(cudaMemset(done, 0, (blocks + 1) * sizeof(int))); CK(cudaMemset(out, 0, (blocks + 1) * sizeof(int)));
    suffix<<<blocks, 32>>>(done, out, blocks - 1);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&first, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", first);
    CK(cudaFree(done)); CK(cudaFree(out));
}
