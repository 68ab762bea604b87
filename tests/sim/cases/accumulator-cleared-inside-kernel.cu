// id:       accumulator-cleared-inside-kernel
// chapter:  warps-divergence
// source:   GitHub cholla-hydro/cholla pull request #163
// did:      let thread 0 of the grid set the global accumulator to zero at kernel start
// saw:      now and then a block's contribution disappears
// cause:    nothing orders that store before the atomics of other blocks: clear it before the
//           launch
// kind:     global-race
// point-at: line 21 (also accept: 23)
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void total(const int* v, int* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef FIXED
    if (i == 0) *sum = 0;                           // <-- BUG
#endif
    if (i < n) atomicAdd(sum, v[i]);                // <-- also accepted
}
int main() {
    const int n = 2048;
    static int h[n];
    int *v, *sum, r = 0;
    for (int& x : h) x = 1;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&sum, sizeof(int)));
    CK(cudaMemset(sum, 0, sizeof(int)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    total<<<n / 256, 256>>>(v, sum, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&r, sum, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 2048; may look right)\n", r);
    CK(cudaFree(v)); CK(cudaFree(sum));
}
