// id:       peer-copy-not-ordered-after-the-kernel
// chapter:  streams
// source:   GitHub torch/cutorch pull request #192 (copies across devices need events once
//           streams are used)
// did:      filled a buffer in a stream of device 0 and fetched it with cudaMemcpyPeerAsync in a
//           stream of device 1
// saw:      old values on device 1, now and then
// cause:    only copies in a default stream wait for both devices; in other streams nothing
//           orders the two
// kind:     stream-race
// point-at: line 42 (also accept: 20)
// devices:  small,small
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v, int value) { v[threadIdx.x] = value; }
int main() {
    int *a, *b, h[64];
    cudaStream_t s0, s1;
    CK(cudaSetDevice(0));
    CK(cudaStreamCreate(&s0));
    CK(cudaMalloc(&a, sizeof(h)));
    CK(cudaMemset(a, 0, sizeof(h)));
    CK(cudaDeviceSynchronize());
    CK(cudaSetDevice(1));
    CK(cudaStreamCreate(&s1));
    CK(cudaMalloc(&b, sizeof(h)));
    fill<<<1, 64, 0, s0>>>(a, 7);
#ifdef FIXED
    cudaEvent_t filled;
    CK(cudaSetDevice(0));
    CK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    CK(cudaEventRecord(filled, s0));
    CK(cudaSetDevice(1));
    CK(cudaStreamWaitEvent(s1, filled, 0));
    CK(cudaEventDestroy(filled));
#endif
    CK(cudaMemcpyPeerAsync(b, 1, a, 0, sizeof(h), s1));
    CK(cudaMemcpyAsync(h, b, sizeof(h), cudaMemcpyDeviceToHost, s1));
    CK(cudaStreamSynchronize(s1));
    printf("%d\n", h[63]);
    CK(cudaFree(a));
    CK(cudaFree(b));
}
