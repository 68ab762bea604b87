// id:       barrier-in-a-loop-of-different-lengths
// chapter:  shared-memory
// did:      put a barrier into a loop over the thread's own elements
// cause:    threads with fewer elements leave the loop earlier and never come to its last barriers
// kind:     barrier-divergence
// point-at: line 28

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void rounds(const int* v, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, total = 0;
#ifdef FIXED
    for (int first = 0; first < n; first += 64) {
        int i = first + t;
        if (i < n) s[t] = v[i];
        __syncthreads();
        if (i < n) total += s[t];
        __syncthreads();
    }
#else
    for (int i = t; i < n; i += 64) {
        s[t] = v[i];
        __syncthreads();                            // <-- BUG
        total += s[t];
    }
#endif
    out[t] = total;
}
int main() {
    const int n = 100;
    int h[n] = {}, *v, *out;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, 64 * 4));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    rounds<<<1, 64>>>(v, out, n); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 64 * 4, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 0)\n", h[0]);
    CK(cudaFree(v)); CK(cudaFree(out));
}
