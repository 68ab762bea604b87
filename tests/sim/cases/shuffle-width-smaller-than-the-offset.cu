// id:       shuffle-width-smaller-than-the-offset
// chapter:  warps-divergence
// did:      reduced over 32 lanes with a width of 16
// saw:      half of the sum, plus the own value once more
// cause:    with width 16 no value comes from the other half; an offset of 16 gives back the own
//           value
// kind:     wrong-result
// point-at: line 23
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum(const int* in, int* out) {
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
#ifdef FIXED
        v += __shfl_down_sync(0xffffffffu, v, d, 32);
#else
        v += __shfl_down_sync(0xffffffffu, v, d, 16);  // <-- BUG
#endif
    if (threadIdx.x == 0) *out = v;
}
int main() {
    int h[32], *in, *out, s = 0;
    for (int i = 0; i < 32; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(int)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    sum<<<1, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&s, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 496)\n", s);
    CK(cudaFree(in)); CK(cudaFree(out));
}
