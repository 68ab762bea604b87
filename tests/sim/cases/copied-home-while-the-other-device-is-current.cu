// id:       copied-home-while-the-other-device-is-current
// chapter:  streams
// source:   GitHub ROCm/rocm-systems pull request #10229 (a copy must wait for the devices whose
//           memory it touches); timed on two H200s
// did:      fetched the result of a kernel on device 1 with cudaMemcpy while device 0 was
//           current, without a wait
// saw:      nothing: it is right
// cause:    a copy in a default stream waits for the default streams of the devices whose memory
//           it touches
// kind:     none
// devices:  small,small
// shows:    near-miss

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v, int value) { v[threadIdx.x] = value; }
int main() {
    int *v, h[64];
    cudaStream_t s;
    CK(cudaSetDevice(1));
    CK(cudaMalloc(&v, sizeof(h)));
    CK(cudaStreamCreate(&s));
    fill<<<1, 64>>>(v, 1);
    CK(cudaSetDevice(0));
    CK(cudaMemcpy(h, v, sizeof(h), cudaMemcpyDeviceToHost));
    printf("%d\n", h[63]);
    h[63] = 2;
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    fill<<<1, 32, 0, s>>>(v, 3);
    CK(cudaMemcpy(h, v, sizeof(h), cudaMemcpyDeviceToHost));
    printf("%d %d\n", h[0], h[63]);
    CK(cudaFree(v));
}
