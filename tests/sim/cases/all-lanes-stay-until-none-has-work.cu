// id:       all-lanes-stay-until-none-has-work
// chapter:  warps-divergence
// did:      voted with the full mask in a loop with different amounts of work
// right:    no lane leaves the loop before all have finished
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void drain(const int* work, int* out) {
    int left = work[threadIdx.x], sum = 0;
    while (__any_sync(0xffffffffu, left > 0)) {
        if (left > 0) { sum += left; left--; }
        int neighbour = __shfl_xor_sync(0xffffffffu, sum, 1);
        if (left == 1) sum += neighbour & 1;
    }
    out[threadIdx.x] = sum;
}
int main() {
    int h[32], *work, *out;
    for (int i = 0; i < 32; i++) h[i] = i % 6;
    CK(cudaMalloc(&work, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(work, h, sizeof(h), cudaMemcpyHostToDevice));
    drain<<<1, 32>>>(work, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[5]);
    CK(cudaFree(work)); CK(cudaFree(out));
}
