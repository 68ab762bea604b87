// id:       event-of-the-other-device
// chapter:  streams
// source:   GitHub rapidsai/rmm issue #1306 (an event made while another device was current is
//           recorded in a stream)
// did:      made the events once, while device 0 was current, and recorded one in a stream of
//           device 1
// saw:      invalid resource handle from cudaEventRecord; the wait for the event waits for
//           nothing
// cause:    an event can only be recorded in streams of the device that it was made for
// kind:     api-misuse (also accept: stream-race)
// point-at: line 38 (also accept: 40)
// devices:  small,small
// shows:    wrong-device-by-name

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v, int value) { v[threadIdx.x] = value; }
int main() {
    int *a, *b, h[64];
    cudaStream_t s0, s1;
    cudaEvent_t filled;
    CK(cudaSetDevice(0));
    CK(cudaStreamCreate(&s0));
    CK(cudaMalloc(&a, sizeof(h)));
#ifndef FIXED
    CK(cudaEventCreate(&filled));
#endif
    CK(cudaSetDevice(1));
    CK(cudaStreamCreate(&s1));
    CK(cudaMalloc(&b, sizeof(h)));
#ifdef FIXED
    CK(cudaEventCreate(&filled));
#endif
    fill<<<1, 64, 0, s1>>>(b, 7);
    CK(cudaEventRecord(filled, s1));
    CK(cudaStreamWaitEvent(s0, filled, 0));
    CK(cudaMemcpyPeerAsync(a, 0, b, 1, sizeof(h), s0));
    CK(cudaStreamSynchronize(s0));
    CK(cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost));
    printf("%d\n", h[63]);
    CK(cudaEventDestroy(filled));
    CK(cudaFree(a));
    CK(cudaFree(b));
}
