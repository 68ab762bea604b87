// id:       default-stream-copy-inside-a-capture
// chapter:  streams
// source:   GitHub sparkinfer pull request 968: "would make the legacy stream depend on a
//           capturing blocking stream"
// did:      called plain cudaMemset while a blocking stream was being captured, with no error
//           checks
// saw:      the graph is null and its launch does nothing
// cause:    the default stream waits for the captured one, which cannot be: the capture is
//           invalid
// kind:     api-misuse
// point-at: line 33
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += 1;
}
int main() {
    const int n = 512;
    int* v;
    cudaMalloc(&v, n * sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
#ifdef FIXED
    cudaMemsetAsync(v, 0, n * sizeof(int), s);
#else
    cudaMemset(v, 0, n * sizeof(int));              // <-- BUG
#endif
    add<<<2, 256, 0, s>>>(v, n);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec); cudaGraphDestroy(graph);
    cudaStreamDestroy(s); cudaFree(v);
}
