// id:       lanes-of-one-warp-wait-for-each-other
// chapter:  warps-divergence
// did:      let one lane spin for a flag that another lane of its warp sets later
// right:    since Volta diverged lanes all make progress, and a fence stands on both sides
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void relay(int* out) {
    __shared__ volatile int flag[32];
    __shared__ int data[32];
    int lane = threadIdx.x;
    flag[lane] = 0;
    __syncwarp();
    if (lane > 0) {
        while (flag[lane - 1] == 0) { }
        __threadfence_block();
        data[lane] = data[lane - 1] + lane;
    } else {
        data[lane] = 100;
    }
    __threadfence_block();
    flag[lane] = 1;
    out[lane] = data[lane];
}
int main() {
    int h[32], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    relay<<<1, 32>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[31]);
    CK(cudaFree(out));
}
