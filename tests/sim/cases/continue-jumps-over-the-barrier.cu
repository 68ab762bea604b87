// id:       continue-jumps-over-the-barrier
// chapter:  shared-memory
// source:   GitHub 1bit-MONSTER/1bit-MONSTER issue #1262
// did:      skipped an element with continue, and with it the barrier in the loop
// saw:      partial sums are mixed up
// cause:    who skips comes to the barrier once less, so others meet at it a turn too early
// kind:     barrier-divergence (also accept: shared-race)
// point-at: line 25
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void rows(const int* valid, float* out, int turns) {
    __shared__ float s[64];
    float sum = 0;
    for (int t = 0; t < turns; t++) {
        s[threadIdx.x] = t;
#ifndef FIXED
        if (valid[threadIdx.x / 32 * turns + t] == 0) continue;
#endif
        __syncthreads();                            // <-- BUG
        sum += s[threadIdx.x ^ 32];
#ifdef FIXED
        __syncthreads();
#endif
    }
    out[threadIdx.x] = sum;
}
int main() {
    int h[8] = {1, 0, 1, 1, 1, 1, 1, 1}, *valid; float *out, r[64];
    CK(cudaMalloc(&valid, sizeof(h))); CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(valid, h, sizeof(h), cudaMemcpyHostToDevice));
    rows<<<1, 64>>>(valid, out, 4);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    printf("saw: %g\n", r[0]);
    CK(cudaFree(valid)); CK(cudaFree(out));
}
