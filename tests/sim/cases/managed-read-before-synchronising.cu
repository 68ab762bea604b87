// id:       managed-read-before-synchronising
// chapter:  streams
// source:   own
// did:      read managed memory right after the launch
// cause:    a launch returns at once; the host must wait before it touches what the kernel writes
// kind:     stream-race
// point-at: line 33 (also accept: 28)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* a, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = v + i;
}
__global__ void add(int* a, const int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += b[i];
}
int main() {
    const int n = 1024;
    int* m;
    CK(cudaMallocManaged(&m, n * sizeof(int)));
    for (int i = 0; i < n; i++) m[i] = -1;
    fill<<<4, 256>>>(m, n, 5);                      // <-- also accepted
    CK(cudaGetLastError());
#ifdef FIXED
    CK(cudaDeviceSynchronize());
#endif
    printf("saw: %d (want 5)\n", m[0]);             // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaFree(m));
}
