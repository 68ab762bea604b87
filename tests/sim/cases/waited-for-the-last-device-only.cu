// id:       waited-for-the-last-device-only
// chapter:  streams
// source:   CUDA Runtime API, cudaDeviceSynchronize: it waits for the current device
// did:      queued a kernel and a copy into pinned memory on each device, and waited once after
//           the loop
// saw:      the part of the first device is sometimes old
// cause:    cudaDeviceSynchronize waits for the device that is current, and no other
// kind:     stream-race
// point-at: line 38
// devices:  small,small
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v, int value) { v[threadIdx.x] = value; }
int main() {
    int *part[2], *h, sum = 0;
    CK(cudaMallocHost(&h, 2 * 64 * sizeof(int)));
    for (int i = 0; i < 128; i++) h[i] = 0;
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaMalloc(&part[d], 64 * sizeof(int)));
        fill<<<1, 64>>>(part[d], d + 1);
        CK(cudaMemcpyAsync(h + 64 * d, part[d], 64 * sizeof(int), cudaMemcpyDeviceToHost));
    }
#ifdef FIXED
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaDeviceSynchronize());
    }
#else
    CK(cudaDeviceSynchronize());
#endif
    for (int i = 0; i < 128; i++)
        sum += h[i];
    printf("%d\n", sum);
    for (int d = 0; d < 2; d++) CK(cudaFree(part[d]));
    CK(cudaFreeHost(h));
}
