// id:       graph-launched-twice-in-a-row
// chapter:  streams
// source:   own
// did:      launched one graph twice in two streams
// cause:    launches of one instantiated graph come one after the other
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
int main() {
    const int n = 1024;
    int* d; cudaStream_t s, t; cudaGraph_t g; cudaGraphExec_t x;
    CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); CK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CK(cudaMalloc(&d, n * sizeof(int)));
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    fill<<<4, 256, 0, s>>>(d, n, 1);
    CK(cudaStreamEndCapture(s, &g));
    CK(cudaGraphInstantiate(&x, g, 0));
    CK(cudaGraphLaunch(x, s)); CK(cudaGraphLaunch(x, t));
    CK(cudaDeviceSynchronize());
    CK(cudaGraphExecDestroy(x)); CK(cudaGraphDestroy(g)); CK(cudaFree(d));
    CK(cudaStreamDestroy(s)); CK(cudaStreamDestroy(t));
}
