// id:       device-copy-taken-for-a-blocking-call
// chapter:  streams
// source:   GitHub ROCm/MIOpen pull request 3299: a device-to-device copy returns at once
// did:      copied device to device with cudaMemcpy and went on in a non-blocking stream
// saw:      now and then the old contents
// cause:    a copy on the device does not block the host, and a non-blocking stream does not
//           wait for it
// kind:     stream-race
// point-at: line 33
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void twice(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= 2;
}
int main() {
    const int n = 4096;
    int *a, *b;
    cudaStream_t s;
    CK(cudaMalloc(&a, n * sizeof(int))); CK(cudaMalloc(&b, n * sizeof(int)));
    CK(cudaMemset(a, 1, n * sizeof(int))); CK(cudaMemset(b, 0, n * sizeof(int)));
    CK(cudaDeviceSynchronize());
    CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CK(cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice));
#ifdef FIXED
    CK(cudaStreamSynchronize(cudaStreamLegacy));
#endif
    twice<<<16, 256, 0, s>>>(b, n);                 // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaStreamDestroy(s)); CK(cudaFree(a)); CK(cudaFree(b));
}
