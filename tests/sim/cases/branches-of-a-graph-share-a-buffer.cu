// id:       branches-of-a-graph-share-a-buffer
// chapter:  streams
// source:   own
// did:      let two branches of a captured graph write one buffer
// cause:    branches that fork in a capture run side by side in every launch
// kind:     stream-race
// point-at: line 37 (also accept: 36)
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
    int* d; cudaStream_t s, t; cudaEvent_t fork, join; cudaGraph_t g; cudaGraphExec_t x;
    CK(cudaStreamCreate(&s)); CK(cudaStreamCreate(&t));
    CK(cudaEventCreate(&fork)); CK(cudaEventCreate(&join));
    CK(cudaMalloc(&d, 2 * n * sizeof(int)));
#ifdef FIXED
    const int offset = n;
#else
    const int offset = 0;
#endif
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CK(cudaEventRecord(fork, s)); CK(cudaStreamWaitEvent(t, fork, 0));
    fill<<<4, 256, 0, s>>>(d, n, 1);                // <-- also accepted
    fill<<<4, 256, 0, t>>>(d + offset, n, 2);       // <-- BUG
    CK(cudaEventRecord(join, t)); CK(cudaStreamWaitEvent(s, join, 0));
    CK(cudaStreamEndCapture(s, &g));
    CK(cudaGraphInstantiate(&x, g, 0));
    CK(cudaGraphLaunch(x, s)); CK(cudaStreamSynchronize(s));
    CK(cudaGraphExecDestroy(x)); CK(cudaGraphDestroy(g)); CK(cudaFree(d));
    CK(cudaEventDestroy(fork)); CK(cudaEventDestroy(join));
    CK(cudaStreamDestroy(s)); CK(cudaStreamDestroy(t));
}
