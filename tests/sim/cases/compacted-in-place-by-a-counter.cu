// id:       compacted-in-place-by-a-counter
// chapter:  atomics
// did:      kept the positive values at the front of their own array, at places from a counter
// cause:    the counter's order is not that of the array: a value may be overwritten before its
//           thread has read it
// kind:     global-race
// point-at: line 22 (also accept: 16)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ int kept;
__global__ void compact(int* data, int* out) {
    int v = data[blockIdx.x * blockDim.x + threadIdx.x];   // <-- also accepted
    if (v <= 0) return;
    int place = atomicAdd(&kept, 1);
#ifdef FIXED
    out[place] = v;
#else
    data[place] = v;                                       // <-- BUG
#endif
}
int main() {
    const int n = 256;
    int *data, *out, r = 0;
    static int h[n];
    for (int i = 0; i < n; i++) h[i] = i % 3 - 1;
    CK(cudaMalloc(&data, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(data, h, sizeof(h), cudaMemcpyHostToDevice));
    compact<<<n / 64, 64>>>(data, out);
    CK(cudaGetLastError());
    CK(cudaMemcpyFromSymbol(&r, kept, sizeof(r)));
    printf("saw: %d kept (want 85)\n", r);
    CK(cudaFree(data)); CK(cudaFree(out));
}
