// id:       graph-launched-while-it-holds-memory
// chapter:  streams
// source:   own
// did:      launched a graph that allocates memory a second time, without freeing what it allocated
// saw:      invalid argument from the second launch; nobody looked
// cause:    a graph's memory has one address: it is allocated again only after it was freed
// kind:     api-misuse
// point-at: line 33
// shows:    lifetime

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* a, int v) { a[threadIdx.x] = v; }

int main() {
    const int n = 256;
    int *p, r = 0;
    cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x;
    CK(cudaStreamCreate(&s));
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CK(cudaMallocAsync(&p, n * sizeof(int), s));
    fill<<<1, n, 0, s>>>(p, 7);
    CK(cudaStreamEndCapture(s, &g));
    CK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 2; i++) {
#ifdef FIXED
        if (i > 0) CK(cudaFreeAsync(p, s));
#endif
        // The second launch needs memory at the same address.
        CK(cudaGraphLaunch(x, s));                               // <-- BUG
    }
    CK(cudaMemcpyAsync(&r, p, sizeof r, cudaMemcpyDeviceToHost, s));
    CK(cudaStreamSynchronize(s));
    printf("saw: %d (want 7)\n", r);
    CK(cudaFree(p));
    CK(cudaGraphExecDestroy(x)); CK(cudaGraphDestroy(g)); CK(cudaStreamDestroy(s));
}
