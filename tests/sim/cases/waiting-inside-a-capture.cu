// id:       waiting-inside-a-capture
// chapter:  streams
// source:   written for this collection
// did:      captured a helper that ends in cudaStreamSynchronize, and looked at no code
// saw:      nothing is computed
// cause:    nothing runs during a capture, so that there is nothing to wait for: the capture is
//           invalid
// kind:     api-misuse
// point-at: line 22
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += 1;
}
void step(int* v, int n, cudaStream_t s) {
    add<<<2, 256, 0, s>>>(v, n);
#ifndef FIXED
    cudaStreamSynchronize(s);                       // <-- BUG
#endif
}
int main() {
    const int n = 512;
    int* v;
    cudaMalloc(&v, n * sizeof(int));
    cudaMemset(v, 0, n * sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    step(v, n, s);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec); cudaGraphDestroy(graph);
    cudaStreamDestroy(s); cudaFree(v);
}
