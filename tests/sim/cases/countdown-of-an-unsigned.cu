// id:       countdown-of-an-unsigned
// chapter:  debugging
// did:      counted down with an unsigned number to 0 inclusive
// cause:    i >= 0 is always true: the loop never ends
// kind:     deadlock
// point-at: line 18

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void backwards(volatile int* v, unsigned n) {
#ifdef FIXED
    for (unsigned i = n; i-- > 0;) v[i & 31] = i;
#else
    for (unsigned i = n - 1; i >= 0; i--) v[i & 31] = i;   // <-- BUG
#endif
}
int main() {
    int* v;
    CK(cudaMalloc(&v, 128));
    backwards<<<1, 1>>>(v, 32);
    CK(cudaGetLastError());
    printf("saw: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    CK(cudaFree(v));
}
