// id:       two-graphs-with-one-scratch-buffer
// chapter:  streams
// source:   written for this collection
// did:      instantiated a graph twice and launched the two in two streams, with one scratch
//           buffer in it
// saw:      two requests at a time mix their results
// cause:    one graph runs after itself, two graphs run side by side
// kind:     stream-race
// point-at: line 37 (also accept: 19, 30, 33)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void first(int* scratch, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) scratch[i] = i;                      // <-- also accepted
}
int main() {
    const int n = 1024;
    int* scratch;
    CK(cudaMalloc(&scratch, n * sizeof(int)));
    cudaStream_t s, t;
    CK(cudaStreamCreate(&s)); CK(cudaStreamCreate(&t));
    cudaGraph_t graph;
    cudaGraphExec_t a, b;
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    first<<<4, 256, 0, s>>>(scratch, n);            // <-- also accepted
    CK(cudaStreamEndCapture(s, &graph));
    CK(cudaGraphInstantiate(&a, graph, 0)); CK(cudaGraphInstantiate(&b, graph, 0));
    CK(cudaGraphLaunch(a, s));                      // <-- also accepted
#ifdef FIXED
    CK(cudaStreamSynchronize(s));
#endif
    CK(cudaGraphLaunch(b, t));                      // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaGraphExecDestroy(a)); CK(cudaGraphExecDestroy(b)); CK(cudaGraphDestroy(graph));
    CK(cudaStreamDestroy(s)); CK(cudaStreamDestroy(t)); CK(cudaFree(scratch));
}
