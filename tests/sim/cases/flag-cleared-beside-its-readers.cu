// id:       flag-cleared-beside-its-readers
// chapter:  shared-memory
// did:      repeated while a shared flag is set, which thread 0 clears at the top of the loop
// cause:    thread 0 clears it while others have not read it yet
// kind:     shared-race (also accept: barrier-divergence)
// point-at: line 20 (also accept: 31)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void label(int* g) {
    __shared__ int l[64];
    __shared__ bool changed;
    int t = threadIdx.x;
    l[t] = g[t];
    __syncthreads();
    do {
        if (t == 0) changed = false;                // <-- BUG
        int m = t > 0 ? min(l[t], l[t - 1]) : l[t];
        __syncthreads();
        if (m < l[t]) { l[t] = m; changed = true; }
        __syncthreads();
#ifdef FIXED
        bool again = changed;
        __syncthreads();
        if (!again) break;
    } while (true);
#else
    } while (changed);                              // <-- also accepted
#endif
    g[t] = l[t];
}
int main() {
    int h[64], *g;
    for (int i = 0; i < 64; i++) h[i] = i + 1;
    CK(cudaMalloc(&g, sizeof h));
    CK(cudaMemcpy(g, h, sizeof h, cudaMemcpyHostToDevice));
    label<<<1, 64>>>(g);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(g));
}
