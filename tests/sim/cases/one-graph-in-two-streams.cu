// id:       one-graph-in-two-streams
// chapter:  streams
// source:   written for this collection
// did:      launched one executable graph in two streams, with no event between them
// saw:      both launches write the same buffer
// cause:    a graph does not run beside itself: launches of one executable graph are ordered
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void add(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += 1;
}
int main() {
    const int n = 1000;
    int* v;
    cudaStream_t s, t;
    CK(cudaMalloc(&v, n * sizeof(int))); CK(cudaMemset(v, 0, n * sizeof(int)));
    CK(cudaDeviceSynchronize());
    CK(cudaStreamCreate(&s)); CK(cudaStreamCreate(&t));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    add<<<4, 256, 0, s>>>(v, n);
    CK(cudaStreamEndCapture(s, &graph));
    CK(cudaGraphInstantiate(&exec, graph, 0));
    CK(cudaGraphLaunch(exec, s)); CK(cudaGraphLaunch(exec, t));
    CK(cudaDeviceSynchronize());
    CK(cudaGraphExecDestroy(exec)); CK(cudaGraphDestroy(graph));
    CK(cudaStreamDestroy(s)); CK(cudaStreamDestroy(t)); CK(cudaFree(v));
}
