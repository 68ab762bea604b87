// id:       peer-enabled-in-one-direction
// chapter:  memory-hierarchy
// source:   CUDA C++ Programming Guide, Peer-to-Peer Memory Access: cudaDeviceEnablePeerAccess()
//           enables one direction only
// did:      enabled device 1 as a peer of device 0, and read device 0's memory in a kernel on
//           device 1
// saw:      an illegal memory access in the second kernel
// cause:    peer access is not mutual: each device enables the other for itself
// kind:     out-of-bounds
// point-at: line 21
// devices:  small,small
// shows:    wrong-device-by-name

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v) { v[threadIdx.x] = threadIdx.x; }
__global__ void gather(int* out, const int* mine, const int* peers) {
    out[threadIdx.x] = mine[threadIdx.x] + peers[threadIdx.x];
}
int main() {
    int *v[2], *out, h[64];
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaMalloc(&v[d], sizeof(h)));
        fill<<<1, 64>>>(v[d]);
        CK(cudaDeviceSynchronize());
    }
    CK(cudaSetDevice(0));
    CK(cudaDeviceEnablePeerAccess(1, 0));
    CK(cudaSetDevice(1));
#ifdef FIXED
    CK(cudaDeviceEnablePeerAccess(0, 0));
#endif
    CK(cudaMalloc(&out, sizeof(h)));
    gather<<<1, 64>>>(out, v[1], v[0]);
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("%d\n", h[63]);
    for (int* p : {v[0], v[1], out}) CK(cudaFree(p));
}
