// id:       halo-fetched-while-it-is-computed
// chapter:  streams
// source:   halo exchange by peer access, as NVIDIA/multi-gpu-programming-models has it with
//           events
// did:      let each device read its neighbour's boundary as a peer, one stream for each device,
//           no events
// saw:      values at the boundary that depend on the speed of the GPUs
// cause:    the kernel of the neighbour that computes the boundary may still run
// kind:     stream-race
// point-at: line 44
// devices:  small,small
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
// A row of cells on each device; the last cell of one is the left neighbour of the other's first.
__global__ void step(float* next, const float* now, const float* left, int n) {
    int i = threadIdx.x;
    float before = i > 0 ? now[i - 1] : left ? left[n - 1] : 0.0f;
    next[i] = 0.5f * (now[i] + before);
}
int main() {
    const int n = 128, steps = 4;
    float *now[2], *next[2], h[n];
    cudaStream_t s[2];
    cudaEvent_t done[2];
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaDeviceEnablePeerAccess(1 - d, 0));
        CK(cudaStreamCreate(&s[d]));
        CK(cudaEventCreateWithFlags(&done[d], cudaEventDisableTiming));
        for (int i = 0; i < n; i++) h[i] = d + 1;
        CK(cudaMalloc(&now[d], sizeof(h)));
        CK(cudaMalloc(&next[d], sizeof(h)));
        CK(cudaMemcpy(now[d], h, sizeof(h), cudaMemcpyHostToDevice));
        CK(cudaDeviceSynchronize());
    }
    for (int k = 0; k < steps; k++) {
        for (int d = 0; d < 2; d++) {
            CK(cudaSetDevice(d));
            step<<<1, n, 0, s[d]>>>(next[d], now[d], d > 0 ? now[d - 1] : nullptr, n);
#ifdef FIXED
            CK(cudaEventRecord(done[d], s[d]));
#endif
        }
        for (int d = 0; d < 2; d++) {
#ifdef FIXED
            CK(cudaStreamWaitEvent(s[d], done[1 - d], 0));
#endif
            float* t = now[d]; now[d] = next[d]; next[d] = t;
        }
    }
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaStreamSynchronize(s[d]));
        CK(cudaMemcpy(h, now[d], sizeof(h), cudaMemcpyDeviceToHost));
        printf("%g\n", h[0]);
    }
    for (int d = 0; d < 2; d++) { CK(cudaFree(now[d])); CK(cudaFree(next[d])); }
}
