// id:       lane-zero-polls-for-its-warp
// chapter:  debugging
// did:      let one lane wait for a flag of another block, and then the whole warp go on
// right:    the flag orders that lane, and __syncwarp() the others behind it
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void handOver(volatile int* flag, int* data, int* out) {
    int lane = threadIdx.x;
    if (blockIdx.x == 0) {
        if (lane == 0) {
            while (*flag == 0) { }
            __threadfence();
        }
        __syncwarp();
        out[lane] = ((volatile int*)data)[31 - lane];
    } else {
        data[lane] = lane;
        __threadfence();
        __syncwarp();
        if (lane == 0) { __threadfence(); *flag = 1; }
    }
}
int main() {
    int h[32], *m;
    CK(cudaMalloc(&m, 128 * sizeof(int)));
    CK(cudaMemset(m, 0, 128 * sizeof(int)));
    handOver<<<2, 32>>>(m, m + 32, m + 64);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, m + 64, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(m));
}
