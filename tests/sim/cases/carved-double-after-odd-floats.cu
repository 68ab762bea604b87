// id:       carved-double-after-odd-floats
// chapter:  shared-memory
// source:   GitHub kokkos/kokkos issue #686; ComputationalRadiationPhysics/picongpu pull request
//           #1767; NVIDIA forum thread 1475
// did:      carved a double array out of one extern __shared__ buffer right behind n floats
// saw:      misaligned address for odd n
// cause:    n * 4 is not a multiple of 8: put the widest type first or round the offset up
// kind:     misaligned
// point-at: line 28 (also accept: 25)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void both(double* out, int n) {
    extern __shared__ __align__(8) char raw[];
#ifdef FIXED
    double* d = (double*)raw;
    float* f = (float*)(d + n);
#else
    float* f = (float*)raw;
    double* d = (double*)(f + n);                   // <-- also accepted
#endif
    int t = threadIdx.x;
    if (t < n) { f[t] = t; d[t] = 2.0 * t; }        // <-- BUG
    __syncthreads();
    if (t < n) out[t] = f[n - 1 - t] + d[t];
}
int main() {
    const int n = 31;
    double h[n] = {}, *out;
    CK(cudaMalloc(&out, sizeof(h)));
    both<<<1, 32, n * (sizeof(float) + sizeof(double))>>>(out, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %g (want 60)\n", h[n - 1]);
    CK(cudaFree(out));
}
