// id:       graph-of-two-branches-replayed
// chapter:  streams
// source:   written for this collection
// did:      captured two branches in two streams and launched the graph again and again
// saw:      the branches have no order with each other, and the host refills the input
// cause:    they write different halves, and the host waits before it refills
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void add(int* v, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += k;
}
int main() {
    const int n = 1000;
    int *h, *v;
    cudaStream_t s, t;
    cudaEvent_t fork, join, sent;
    CK(cudaMallocHost(&h, 2 * n * sizeof(int))); CK(cudaMalloc(&v, 2 * n * sizeof(int)));
    CK(cudaStreamCreate(&s)); CK(cudaStreamCreate(&t));
    for (cudaEvent_t* e : {&fork, &join, &sent}) CK(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CK(cudaMemcpyAsync(v, h, 2 * n * sizeof(int), cudaMemcpyHostToDevice, s));
    CK(cudaEventRecord(fork, s));
    CK(cudaStreamWaitEvent(t, fork, 0));
    add<<<4, 256, 0, s>>>(v, n, 1);
    add<<<4, 256, 0, t>>>(v + n, n, 2);
    CK(cudaEventRecord(join, t));
    CK(cudaStreamWaitEvent(s, join, 0));
    CK(cudaStreamEndCapture(s, &graph));
    CK(cudaGraphInstantiate(&exec, graph, 0));
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 2 * n; ++i) h[i] = round;
        CK(cudaGraphLaunch(exec, s));
        CK(cudaEventRecord(sent, s));
        CK(cudaEventSynchronize(sent));
    }
    CK(cudaGraphExecDestroy(exec)); CK(cudaGraphDestroy(graph));
    for (cudaEvent_t e : {fork, join, sent}) CK(cudaEventDestroy(e));
    CK(cudaStreamDestroy(s)); CK(cudaStreamDestroy(t)); CK(cudaFree(v)); CK(cudaFreeHost(h));
}
