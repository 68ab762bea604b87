// id:       assertion-that-fails
// chapter:  debugging
// did:      asserted a bound in the kernel
// cause:    one element breaks it
// kind:     launch-error
// point-at: line 15

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#include <cassert>
__global__ void check(const int* v) { assert(v[threadIdx.x] < 31); }   // <-- BUG
int main() {
    int h[32], *v;
#ifdef FIXED
    for (int i = 0; i < 32; i++) h[i] = 0;
#else
    for (int i = 0; i < 32; i++) h[i] = i;
#endif
    CK(cudaMalloc(&v, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    check<<<1, 32>>>(v);
    CK(cudaGetLastError());
    printf("saw: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    CK(cudaFree(v));
}
