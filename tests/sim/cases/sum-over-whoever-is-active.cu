// id:       sum-over-whoever-is-active
// chapter:  warps-divergence
// source:   NVIDIA's blog on warp-level primitives, the example of what not to do
// did:      summed over the lanes of a branch, with __activemask() as the mask
// saw:      right almost always; partial sums when the warp was split at that moment
// cause:    __activemask() says who is here now, not who will take part
// kind:     barrier-divergence (also accept: global-race)
// point-at: line 24 (also accept: 26, 27)
// shows:    schedule-dependent

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void positives(const int* in, int* out, int n) {
    int v = in[threadIdx.x];
#ifdef FIXED
    unsigned mask = __ballot_sync(0xffffffffu, v > 0);
#endif
    if (v > 0) {
#ifndef FIXED
        unsigned mask = __activemask();             // <-- BUG
#endif
        int sum = __reduce_add_sync(mask, v);
        if (threadIdx.x == __ffs(mask) - 1) *out = sum;
    }
}
int main() {
    int h[32], *in, *out, s = 0;
    for (int i = 0; i < 32; i++) h[i] = i % 3 - 1;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(int)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(int)));
    positives<<<1, 32>>>(in, out, 32);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&s, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", s);
    CK(cudaFree(in)); CK(cudaFree(out));
}
