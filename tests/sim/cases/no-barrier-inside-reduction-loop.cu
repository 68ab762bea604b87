// id:       no-barrier-inside-reduction-loop
// chapter:  shared-memory
// source:   GitHub arrayfire/arrayfire issue #625 (racecheck report)
// did:      kept the barrier before the reduction loop but none in it
// saw:      racecheck: write and read hazards on the same line; the mean is wrong on some cards
// cause:    every halving step reads what other warps wrote in the step before
// kind:     shared-race
// point-at: line 23
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum(const int* v, int* out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = v[t];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];                // <-- BUG
#ifdef FIXED
        __syncthreads();
#endif
    }
    if (t == 0) *out = s[0];
}
int main() {
    int h[256], *v, *out, r = 0;
    for (int& x : h) x = 1;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(int)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    sum<<<1, 256>>>(v, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 256)\n", r);
    CK(cudaFree(v)); CK(cudaFree(out));
}
