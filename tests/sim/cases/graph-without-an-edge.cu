// id:       graph-without-an-edge
// chapter:  streams
// source:   own
// did:      built a graph node by node and left out that one kernel needs the other's result
// saw:      right answers, as the nodes happened to run in the order in which they were added
// cause:    nodes without an edge between them run side by side, in the default stream, too
// kind:     stream-race
// point-at: line 38 (also accept: 34)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }
__global__ void reverse(const int* a, int* b) { b[threadIdx.x] = a[63 - threadIdx.x]; }

int main() {
    int *a, *b, r[64], bad = 0;
    CK(cudaMalloc(&a, sizeof(r))); CK(cudaMalloc(&b, sizeof(r)));
    void* of_fill[] = {&a};
    void* of_reverse[] = {&a, &b};
    cudaKernelNodeParams first{}, second{};
    first.func = (void*)fill;
    first.gridDim = 1; first.blockDim = 64;
    first.kernelParams = of_fill;
    second = first;
    second.func = (void*)reverse;
    second.kernelParams = of_reverse;

    cudaGraph_t g; cudaGraphExec_t x; cudaGraphNode_t n, m;
    CK(cudaGraphCreate(&g, 0));
    CK(cudaGraphAddKernelNode(&n, g, nullptr, 0, &first));      // <-- also accepted
#ifdef FIXED
    CK(cudaGraphAddKernelNode(&m, g, &n, 1, &second));
#else
    CK(cudaGraphAddKernelNode(&m, g, nullptr, 0, &second));     // <-- BUG
#endif
    CK(cudaGraphInstantiate(&x, g, 0));
    CK(cudaGraphLaunch(x, 0));
    CK(cudaMemcpy(r, b, sizeof(r), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) bad += r[i] != 63 - i;
    printf("saw: %d of 64 elements wrong (want 0)\n", bad);
    CK(cudaGraphExecDestroy(x)); CK(cudaGraphDestroy(g));
    CK(cudaFree(a)); CK(cudaFree(b));
}
