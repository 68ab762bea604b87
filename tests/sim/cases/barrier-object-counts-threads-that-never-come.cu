// id:       barrier-object-counts-threads-that-never-come
// chapter:  shared-memory
// source:   GitHub NVIDIA/cutlass issue #1998 (the question behind it)
// did:      initialised a cuda::barrier for the whole block, and let half of the block use it
// saw:      hangs
// cause:    a phase ends when as many have arrived as init() was told
// kind:     deadlock
// point-at: line 32 (also accept: 27)
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void consumers(int* out) {
    __shared__ alignas(8) unsigned char place[sizeof(barrier)];
    __shared__ int s[128];
    barrier& done = *reinterpret_cast<barrier*>(place);
    if (threadIdx.x == 0)
#ifdef FIXED
        init(&done, blockDim.x / 2);
#else
        init(&done, blockDim.x);
#endif
    __syncthreads();
    if (threadIdx.x < blockDim.x / 2) {
        s[threadIdx.x] = threadIdx.x;
        done.arrive_and_wait();                     // <-- BUG
        out[threadIdx.x] = s[63 - threadIdx.x];
    }
}
int main() {
    int h[64], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    consumers<<<1, 128>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(out));
}
