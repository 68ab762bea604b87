// id:       sub-warp-mask-shifted-by-the-group-number
// chapter:  warps-divergence
// source:   GitHub kokkos/kokkos issue #1958
// did:      computed a group's mask with a shift by its number instead of its first lane
// saw:      the sanitizer says invalid arguments; sums are mixed
// cause:    the mask does not name the lanes that call
// kind:     barrier-divergence
// point-at: line 26
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void groupSum(const int* in, int* out) {
    const int width = 8;
    int lane = threadIdx.x % 32, v = in[threadIdx.x];
#ifdef FIXED
    unsigned mask = 0xffu << (lane / width * width);
#else
    unsigned mask = 0xffu << (lane / width);
#endif
    for (int d = width / 2; d > 0; d /= 2)
        v += __shfl_xor_sync(mask, v, d, width);    // <-- BUG
    out[threadIdx.x] = v;
}
int main() {
    int h[32], *in, *out;
    for (int i = 0; i < 32; i++) h[i] = 1;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    groupSum<<<1, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[31]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
