// id:       warp-synchronous-reduction-tail
// chapter:  warps-divergence
// source:   NVIDIA forum thread 24763 'Unrolling warps'; GitHub ORNL/HeCBench issue #263;
//           proteneer/timemachine issue #344
// did:      unrolled the last warp of a reduction without volatile or any barrier
// saw:      passes with -O3, fails with -G (or the other way round)
// cause:    each step reads what other lanes wrote in the step before: needs __syncwarp between
//           steps
// kind:     shared-race (also accept: wrong-result)
// point-at: line 32 (also accept: 33, 34)
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum64(const int* v, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = v[t];
    __syncthreads();
#ifdef FIXED
    if (t < 32) {
        int x = s[t] + s[t + 32];
        for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
        if (t == 0) *out = x;
    }
#else
    if (t < 32) {
        s[t] += s[t + 32]; s[t] += s[t + 16];       // <-- BUG
        s[t] += s[t + 8];  s[t] += s[t + 4];        // <-- also accepted
        s[t] += s[t + 2];  s[t] += s[t + 1];        // <-- also accepted
    }
    if (t == 0) *out = s[0];
#endif
}
int main() {
    int h[64], *v, *out, r = 0;
    for (int i = 0; i < 64; i++) h[i] = i;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(int)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    sum64<<<1, 64>>>(v, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 2016)\n", r);
    CK(cudaFree(v)); CK(cudaFree(out));
}
