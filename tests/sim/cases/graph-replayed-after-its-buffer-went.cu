// id:       graph-replayed-after-its-buffer-went
// chapter:  streams
// source:   own
// did:      freed a buffer, allocated a larger one, and launched the graph that was captured before
// saw:      old data, now and then; most often the right ones
// cause:    a graph keeps the addresses that its nodes were captured with
// kind:     use-after-free
// point-at: line 24 (also accept: 29)
// shows:    lifetime

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

int main() {
    const int n = 256;
    int *in, *out, r = 0;
    cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x;
    CK(cudaStreamCreate(&s));
    CK(cudaMalloc(&in, n * sizeof(int))); CK(cudaMalloc(&out, 2 * n * sizeof(int)));
    CK(cudaMemset(in, 0, n * sizeof(int)));
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CK(cudaMemcpyAsync(out, in, n * sizeof(int), cudaMemcpyDeviceToDevice, s));   // <-- BUG
    CK(cudaStreamEndCapture(s, &g));
    CK(cudaGraphInstantiate(&x, g, 0));
    CK(cudaGraphLaunch(x, s));
    CK(cudaStreamSynchronize(s));
    CK(cudaFree(in));                                            // <-- also accepted
    CK(cudaMalloc(&in, 2 * n * sizeof(int)));
    CK(cudaMemset(in, 0, 2 * n * sizeof(int)));
#ifdef FIXED
    cudaGraphNode_t node; size_t one = 1;
    CK(cudaGraphGetNodes(g, &node, &one));
    CK(cudaGraphExecMemcpyNodeSetParams1D(x, node, out, in, n * sizeof(int),
                                          cudaMemcpyDeviceToDevice));
#endif
    CK(cudaGraphLaunch(x, s));
    CK(cudaStreamSynchronize(s));
    CK(cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 0)\n", r);
    CK(cudaGraphExecDestroy(x)); CK(cudaGraphDestroy(g)); CK(cudaStreamDestroy(s));
    CK(cudaFree(in)); CK(cudaFree(out));
}
