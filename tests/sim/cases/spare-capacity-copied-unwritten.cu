// id:       spare-capacity-copied-unwritten
// chapter:  memory-hierarchy
// did:      copied a buffer with its unwritten spare room, on the device and by a kernel
// why right:copying what nobody wrote is no mistake as long as nothing is computed from it
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void grow(const int* from, int* to, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < capacity) to[i] = from[i];
}
__global__ void sum(const int* v, int n, int* out) {
    int s = 0;
    for (int i = 0; i < n; i++) s += v[i];
    *out = s;
}
int main() {
    const int n = 40, capacity = 128;
    int ones[n], *a, *b, *c, *out, h = 0;
    for (int& x : ones) x = 1;
    CK(cudaMalloc(&a, capacity * 4)); CK(cudaMalloc(&b, capacity * 4)); CK(cudaMalloc(&c, 2 * capacity * 4));
    CK(cudaMalloc(&out, 4));
    CK(cudaMemcpy(a, ones, sizeof(ones), cudaMemcpyHostToDevice));
    CK(cudaMemcpy(b, a, capacity * 4, cudaMemcpyDeviceToDevice));
    grow<<<4, 32>>>(b, c, capacity); CK(cudaGetLastError());
    sum<<<1, 1>>>(c, n, out); CK(cudaGetLastError());
    CK(cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 40)\n", h);
    CK(cudaFree(a)); CK(cudaFree(b)); CK(cudaFree(c)); CK(cudaFree(out));
}
