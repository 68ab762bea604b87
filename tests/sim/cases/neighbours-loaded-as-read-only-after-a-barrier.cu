// id:       neighbours-loaded-as-read-only-after-a-barrier
// chapter:  memory-hierarchy
// source:   written for this collection, after the programming guide's section on __ldg
// did:      wrote a row in global memory, waited at a barrier, and read the neighbours with __ldg
// saw:      the right result on one card, old values now and then on another
// cause:    __ldg reads through a cache that the running kernel's writes do not reach
// kind:     stale-read
// point-at: line 22
// shows:    caches

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void smooth_squares(float* row, float* out, int n) {
    int i = threadIdx.x;
    row[i] = row[i] * row[i];
    __syncthreads();
    int left = i > 0 ? i - 1 : 0, right = i < n - 1 ? i + 1 : n - 1;
#ifndef FIXED
    out[i] = (__ldg(row + left) + row[i] + __ldg(row + right)) / 3;  // <-- BUG
#else
    out[i] = (row[left] + row[i] + row[right]) / 3;
#endif
}
int main() {
    const int n = 256;
    float h[n], *row, *out;
    for (int i = 0; i < n; ++i) h[i] = i % 10;
    CK(cudaMalloc(&row, sizeof h));
    CK(cudaMalloc(&out, sizeof h));
    CK(cudaMemcpy(row, h, sizeof h, cudaMemcpyHostToDevice));
    smooth_squares<<<1, n>>>(row, out, n);
    CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("%g %g\n", h[5], h[100]);
    CK(cudaFree(row)); CK(cudaFree(out));
}
