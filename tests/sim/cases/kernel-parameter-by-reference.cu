// id:       kernel-parameter-by-reference
// chapter:  programming-model
// source:   GitHub mrnorman/YAKL issue #122 (a __global__ function taking `F const&`)
// did:      declared the kernel parameter as a const reference, as one would on the host
// saw:      compiles; on the device the reference points at the caller's host object
// cause:    kernel parameters must be passed by value
// kind:     api-misuse (also accept: out-of-bounds)
// point-at: line 21 (also accept: 24)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Params { int n; int value; };
#ifdef FIXED
__global__ void set(Params p, int* out) {
#else
__global__ void set(const Params& p, int* out) {    // <-- BUG
#endif
    int i = threadIdx.x;
    if (i < p.n) out[i] = p.value;                  // <-- also accepted
}
int main() {
    Params p{16, 7};
    int h[16] = {}, *d;
    CK(cudaMalloc(&d, sizeof(h)));
    CK(cudaMemset(d, 0, sizeof(h)));
    set<<<1, 32>>>(p, d);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 7)\n", h[15]);
    CK(cudaFree(d));
}
