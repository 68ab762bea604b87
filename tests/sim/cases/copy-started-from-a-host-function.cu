// id:       copy-started-from-a-host-function
// chapter:  streams
// source:   GitHub NVIDIA/cccl pull request 3460: "You cannot call a CUDA API from a function
//           launched by host_launch"
// did:      started the next copy from a host function in the stream
// saw:      cudaErrorNotPermitted at best, a hang at worst
// cause:    the device waits for the function: it may not call CUDA
// kind:     api-misuse
// point-at: line 21
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

static int *h, *d;
static cudaStream_t other;
void next_copy(void*) {
#ifndef FIXED
    cudaMemcpyAsync(d, h, 64 * sizeof(int), cudaMemcpyHostToDevice, other);  // <-- BUG
#else
    h[0] = 1;
#endif
}
int main() {
    CK(cudaMallocHost(&h, 64 * sizeof(int))); CK(cudaMalloc(&d, 64 * sizeof(int)));
    for (int i = 0; i < 64; ++i) h[i] = i;
    cudaStream_t s;
    CK(cudaStreamCreate(&s)); CK(cudaStreamCreate(&other));
    CK(cudaLaunchHostFunc(s, next_copy, nullptr));
    CK(cudaStreamSynchronize(s));
    CK(cudaMemcpyAsync(d, h, 64 * sizeof(int), cudaMemcpyHostToDevice, other));
    CK(cudaDeviceSynchronize());
    CK(cudaStreamDestroy(s)); CK(cudaStreamDestroy(other)); CK(cudaFreeHost(h)); CK(cudaFree(d));
}
