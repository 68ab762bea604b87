// id:       staging-freed-before-the-replay
// chapter:  streams
// source:   GitHub onnxruntime pull request 32121: a captured copy node records the host address
// did:      gave the pinned staging buffer back after the capture, then launched the graph
// saw:      the kernels get the bytes of whoever owns that memory now
// cause:    each launch reads the buffer anew: it must live as long as the graph
// kind:     use-after-free (also accept: stream-race)
// point-at: line 37 (also accept: 30, 35)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void twice(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= 2;
}
int main() {
    const int n = 1024;
    int *h, *d;
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&d, n * sizeof(int)));
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CK(cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, s));  // <-- also accepted
    twice<<<4, 256, 0, s>>>(d, n);
    CK(cudaStreamEndCapture(s, &graph));
    CK(cudaGraphInstantiate(&exec, graph, 0));
#ifndef FIXED
    CK(cudaFreeHost(h));                            // <-- also accepted
#endif
    CK(cudaGraphLaunch(exec, s));                   // <-- BUG
    CK(cudaStreamSynchronize(s));
#ifdef FIXED
    CK(cudaFreeHost(h));
#endif
    CK(cudaGraphExecDestroy(exec)); CK(cudaGraphDestroy(graph));
    CK(cudaStreamDestroy(s)); CK(cudaFree(d));
}
