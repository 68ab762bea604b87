// id:       host-function-tells-by-a-flag
// chapter:  streams
// source:   own
// did:      waited for a flag that a host function sets, without any call
// cause:    host functions run when their stream gets there, whether or not the host calls
// kind:     none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* a, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = v + i;
}
__global__ void add(int* a, const int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += b[i];
}
#include <atomic>
void CUDART_CB done(void* flag) { static_cast<std::atomic<int>*>(flag)->store(1); }
int main() {
    const int n = 1024;
    int* d; cudaStream_t s; std::atomic<int> flag{0};
    CK(cudaStreamCreate(&s)); CK(cudaMalloc(&d, n * sizeof(int)));
    fill<<<4, 256, 0, s>>>(d, n, 9);
    CK(cudaLaunchHostFunc(s, done, &flag));
    while (!flag) {}
    printf("saw: the flag\n");
    CK(cudaStreamSynchronize(s)); CK(cudaFree(d)); CK(cudaStreamDestroy(s));
}
