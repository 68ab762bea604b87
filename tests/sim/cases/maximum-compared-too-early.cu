// id:       maximum-compared-too-early
// chapter:  warps-divergence
// did:      put all values into an atomic maximum and compared at once
// cause:    the maximum is known when all have taken part
// kind:     shared-race
// point-at: line 22 (also accept: 18)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void argmax(const int* x, int* out) {
    __shared__ int best, where;
    int t = threadIdx.x, v = x[t];
    if (t == 0) { best = -1; where = -1; }
    __syncthreads();
    atomicMax(&best, v);                            // <-- also accepted
#ifdef FIXED
    __syncthreads();
#endif
    if (v == best) atomicMax(&where, t);            // <-- BUG
    __syncthreads();
    if (t == 0) *out = where;
}
int main() {
    int h[128], *x, *o;
    for (int i = 0; i < 128; i++) h[i] = (i * 37) % 128;
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&o, 4));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    argmax<<<1, 128>>>(x, o);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(x)); CK(cudaFree(o));
}
