// id:       default-streams-meet-in-a-peer-copy
// chapter:  streams
// source:   CUDA C++ Programming Guide, Peer-to-Peer Memory Copy: a copy in the NULL stream waits
//           for both devices
// did:      let a kernel on device 0, a cudaMemcpyPeer and a kernel on device 1 follow each other
//           without a wait
// saw:      nothing: it is right
// cause:    the copy waits for the default streams of both devices, and they for it
// kind:     none
// devices:  small,small
// shows:    near-miss

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v, int value) { v[threadIdx.x] = value; }
__global__ void increase(int* v) { v[threadIdx.x]++; }
int main() {
    int *v[2], h[64];
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaMalloc(&v[d], sizeof(h)));
    }
    for (int round = 0; round < 3; round++) {
        CK(cudaSetDevice(0));
        fill<<<1, 64>>>(v[0], round);
        CK(cudaMemcpyPeer(v[1], 1, v[0], 0, sizeof(h)));
        CK(cudaSetDevice(1));
        increase<<<1, 64>>>(v[1]);
        CK(cudaMemcpyPeer(v[0], 0, v[1], 1, sizeof(h)));
    }
    CK(cudaSetDevice(0));
    CK(cudaMemcpy(h, v[0], sizeof(h), cudaMemcpyDeviceToHost));
    printf("%d\n", h[63]);
    for (int d = 0; d < 2; d++) CK(cudaFree(v[d]));
}
