// id:       more-threads-than-promised
// chapter:  warps-divergence
// did:      launched 256 threads of a kernel with __launch_bounds__(128)
// cause:    the compiler may give each thread more registers than 256 of them can have
// kind:     launch-error
// point-at: line 20 (also accept: 22)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void __launch_bounds__(128) fill(int* a) { a[threadIdx.x] = 1; }
int main() {
    int* a;
    CK(cudaMalloc(&a, 1024));
#ifdef FIXED
    fill<<<2, 128>>>(a);
#else
    fill<<<1, 256>>>(a);                            // <-- BUG
#endif
    CK(cudaGetLastError());                         // <-- also accepted
    CK(cudaDeviceSynchronize());
    CK(cudaFree(a));
}
