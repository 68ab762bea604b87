// id:       next-batch-written-under-the-graph
// chapter:  streams
// source:   GitHub Paddle pull request 78568 and its kind: graphs read host memory at each
//           launch
// did:      filled the pinned input for the next launch of a graph while the last launch may be
//           running
// saw:      two batches in a row with the same or mixed data
// cause:    the graph's copy reads the pinned memory when it runs, not when it is launched
// kind:     stream-race
// point-at: line 37
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum(const int* v, int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, v[i]);
}
int main() {
    const int n = 1024, batches = 3;
    int *h, *d, *out;
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&d, n * sizeof(int)));
    CK(cudaMalloc(&out, sizeof(int))); CK(cudaMemset(out, 0, sizeof(int)));
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CK(cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, s));
    sum<<<4, 256, 0, s>>>(d, n, out);
    CK(cudaStreamEndCapture(s, &graph));
    CK(cudaGraphInstantiate(&exec, graph, 0));
    for (int b = 0; b < batches; ++b) {
        for (int i = 0; i < n; ++i) h[i] = b;       // <-- BUG
        CK(cudaGraphLaunch(exec, s));
#ifdef FIXED
        CK(cudaStreamSynchronize(s));
#endif
    }
    CK(cudaStreamSynchronize(s));
    CK(cudaGraphExecDestroy(exec)); CK(cudaGraphDestroy(graph));
    CK(cudaStreamDestroy(s)); CK(cudaFreeHost(h)); CK(cudaFree(d)); CK(cudaFree(out));
}
