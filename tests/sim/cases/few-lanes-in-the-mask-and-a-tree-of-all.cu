// id:       few-lanes-in-the-mask-and-a-tree-of-all
// chapter:  warps-divergence
// source:   GitHub NVIDIA/cuda-samples issue #398
// did:      took the mask from a ballot, and shuffled from lanes that are not in it
// saw:      right by luck: those lanes' registers happened to hold zeros
// cause:    what a shuffle gets from a lane that does not take part is undefined
// kind:     barrier-divergence
// point-at: line 29
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void finish(const int* partial, int* out, int n) {
    int lane = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, lane < n);
    if (lane < n) {
        int v = partial[lane];
#ifdef FIXED
        for (int d = n / 2; d > 0; d /= 2) {
            int other = __shfl_down_sync(mask, v, d);
            if (lane + d < n) v += other;
        }
#else
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(mask, v, d);      // <-- BUG
#endif
        if (lane == 0) *out = v;
    }
}
int main() {
    int h[8], *in, *out, s = 0;
    for (int i = 0; i < 8; i++) h[i] = 1;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(int)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    finish<<<1, 32>>>(in, out, 8);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&s, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", s);
    CK(cudaFree(in)); CK(cudaFree(out));
}
