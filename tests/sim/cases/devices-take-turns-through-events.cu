// id:       devices-take-turns-through-events
// chapter:  streams
// source:   GitHub chelsea0x3b/cudarc pull request #561 (a stream may wait for an event of
//           another context)
// did:      handed an array to and fro between kernels of two devices, ordered by events alone
// saw:      nothing: it is right
// cause:    a stream may wait for an event of another device
// kind:     none
// devices:  small,small
// shows:    near-miss

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void increase(int* v) { v[threadIdx.x]++; }
int main() {
    int *v, h[64];
    cudaStream_t s[2];
    cudaEvent_t done[2];
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaStreamCreateWithFlags(&s[d], cudaStreamNonBlocking));
        CK(cudaEventCreateWithFlags(&done[d], cudaEventDisableTiming));
    }
    CK(cudaDeviceEnablePeerAccess(0, 0));
    CK(cudaSetDevice(0));
    CK(cudaMalloc(&v, sizeof(h)));
    CK(cudaMemsetAsync(v, 0, sizeof(h), s[0]));
    for (int turn = 0; turn < 6; turn++) {
        int d = turn % 2;
        increase<<<1, 64, 0, s[d]>>>(v);
        CK(cudaEventRecord(done[d], s[d]));
        CK(cudaStreamWaitEvent(s[1 - d], done[d], 0));
    }
    CK(cudaMemcpyAsync(h, v, sizeof(h), cudaMemcpyDeviceToHost, s[0]));
    CK(cudaStreamSynchronize(s[0]));
    printf("%d\n", h[63]);
    CK(cudaFree(v));
}
