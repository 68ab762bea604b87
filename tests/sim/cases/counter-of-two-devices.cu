// id:       counter-of-two-devices
// chapter:  warps-divergence
// source:   GitHub JuliaGPU/CUDA.jl issue #2619 (counters in unified memory that two GPUs add to
//           come out too small)
// did:      counted with atomicAdd in memory that two devices add to at the same time
// saw:      a sum that is a little too small, now and then
// cause:    atomicAdd is atomic for the threads of one device; between devices only
//           atomicAdd_system is
// kind:     stream-race
// point-at: line 40 (also accept: 24)
// devices:  small,small
// shows:    scope

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void count(const int* v, int n, int* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    if (i < n && v[i] % 3 == 0) atomicAdd_system(total, 1);
#else
    if (i < n && v[i] % 3 == 0) atomicAdd(total, 1);
#endif
}
int main() {
    const int n = 3000;
    int h[n], *v[2], *total;
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMallocManaged(&total, sizeof(int)));
    *total = 0;
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaMalloc(&v[d], sizeof(h)));
        CK(cudaMemcpy(v[d], h, sizeof(h), cudaMemcpyHostToDevice));
    }
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        count<<<(n + 255) / 256, 256>>>(v[d], n, total);
    }
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaDeviceSynchronize());
    }
    printf("%d\n", *total);
    for (int d = 0; d < 2; d++) CK(cudaFree(v[d]));
    CK(cudaFree(total));
}
