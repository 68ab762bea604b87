// id:       captured-branch-never-joined
// chapter:  streams
// source:   GitHub DeepEP issue 62: "capturing stream has unjoined work"
// did:      forked a second stream into the capture and ended it without waiting for that stream
// saw:      an error from cudaStreamEndCapture that nobody read, and no graph
// cause:    every stream that joined a capture must be waited for by the one that began it
// kind:     api-misuse
// point-at: line 39 (also accept: 34)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += 1;
}
int main() {
    const int n = 512;
    int *v, *u;
    cudaMalloc(&v, n * sizeof(int)); cudaMalloc(&u, n * sizeof(int));
    cudaMemset(v, 0, n * sizeof(int)); cudaMemset(u, 0, n * sizeof(int));
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaStreamCreate(&s); cudaStreamCreate(&t);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<2, 256, 0, s>>>(v, n);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    add<<<2, 256, 0, t>>>(u, n);                    // <-- also accepted
#ifdef FIXED
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join, 0);
#endif
    cudaStreamEndCapture(s, &graph);                // <-- BUG
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec); cudaGraphDestroy(graph);
    cudaEventDestroy(fork); cudaEventDestroy(join);
    cudaStreamDestroy(s); cudaStreamDestroy(t); cudaFree(v); cudaFree(u);
}
