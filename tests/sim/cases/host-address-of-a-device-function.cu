// id:       host-address-of-a-device-function
// chapter:  programming-model
// did:      took a device function's address in host code and called it in a kernel
// cause:    the host's address of it means nothing on the device
// kind:     launch-error (also accept: api-misuse, out-of-bounds)
// point-at: line 17

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

typedef float (*Op)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ Op onDevice = twice;
__global__ void map(float* a, Op op) {
    a[threadIdx.x] = op(a[threadIdx.x]);            // <-- BUG
}
int main() {
    float* a; Op op = twice;
    CK(cudaMalloc(&a, 128)); CK(cudaMemset(a, 0, 128));
#ifdef FIXED
    CK(cudaMemcpyFromSymbol(&op, onDevice, sizeof op));
#endif
    map<<<1, 32>>>(a, op);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(a));
}
