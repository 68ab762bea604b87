// id:       padding-travels-through-a-call
// chapter:  memory-hierarchy
// did:      passed a struct with padding and an unused member through a function
// right:    nothing is computed from the bytes that nobody wrote
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Item { char tag; double value; int unused; };
__device__ __noinline__ Item twice(Item i) { i.value *= 2; return i; }
__global__ void all(const double* in, double* out) {
    Item i;
    i.tag = 'a'; i.value = in[threadIdx.x];
    Item items[2] = {i, i};
    items[threadIdx.x & 1].tag = 'b';
    Item r = twice(items[threadIdx.x & 1]);
    out[threadIdx.x] = r.value + r.tag;
}
int main() {
    double h[32], *in, *out;
    for (int i = 0; i < 32; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    all<<<1, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %g\n", h[1]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
