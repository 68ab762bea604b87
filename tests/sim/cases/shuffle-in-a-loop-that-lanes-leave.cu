// id:       shuffle-in-a-loop-that-lanes-leave
// chapter:  warps-divergence
// did:      shared values with the whole warp in a loop whose length differs from lane to lane
// saw:      right on old cards, garbage or a hang on new ones
// cause:    the mask names lanes that have left the loop
// kind:     barrier-divergence
// point-at: line 27
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void spread(const int* length, int* out) {
    int n = length[threadIdx.x], sum = 0;
#ifdef FIXED
    int most = n;
    for (int d = 16; d > 0; d /= 2) most = max(most, __shfl_xor_sync(0xffffffffu, most, d));
    for (int k = 0; k < most; k++) {
        int other = __shfl_xor_sync(0xffffffffu, k < n ? k : 0, 1);
        if (k < n) sum += other;
    }
#else
    for (int k = 0; k < n; k++)
        sum += __shfl_xor_sync(0xffffffffu, k, 1);  // <-- BUG
#endif
    out[threadIdx.x] = sum;
}
int main() {
    int h[32], *length, *out;
    for (int i = 0; i < 32; i++) h[i] = i % 4 + 1;
    CK(cudaMalloc(&length, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(length, h, sizeof(h), cudaMemcpyHostToDevice));
    spread<<<1, 32>>>(length, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[1]);
    CK(cudaFree(length)); CK(cudaFree(out));
}
