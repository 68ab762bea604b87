// id:       launched-into-the-other-devices-stream
// chapter:  streams
// source:   recorded on two GPUs: a launch goes to the device of its stream
// did:      launched into a stream of device 1 while device 0 was current, with memory of device
//           1
// saw:      nothing: it is right
// cause:    the kernel runs on the stream's device
// kind:     none
// devices:  small,small
// shows:    near-miss

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v) { v[threadIdx.x] = threadIdx.x; }
int main() {
    int *v, h[64];
    cudaStream_t s;
    CK(cudaSetDevice(1));
    CK(cudaStreamCreate(&s));
    CK(cudaMalloc(&v, sizeof(h)));
    CK(cudaSetDevice(0));
    fill<<<1, 64, 0, s>>>(v);
    CK(cudaMemsetAsync(v, 0, sizeof(int), s));
    CK(cudaMemcpyAsync(h, v, sizeof(h), cudaMemcpyDeviceToHost, s));
    CK(cudaStreamSynchronize(s));
    printf("%d\n", h[63]);
    CK(cudaFree(v));
}
