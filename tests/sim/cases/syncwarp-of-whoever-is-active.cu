// id:       syncwarp-of-whoever-is-active
// chapter:  warps-divergence
// source:   GitHub NVIDIA/flashdreams pull request #65 (review)
// did:      ordered the lanes of a branch by __syncwarp(__activemask())
// saw:      right almost always
// cause:    it waits for those that are here by chance; a lane that comes a moment later is not
//           waited for
// kind:     barrier-divergence (also accept: shared-race)
// point-at: line 26 (also accept: 22, 28)
// shows:    schedule-dependent

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void swap(const int* in, int* out) {
    __shared__ int s[32];
    int lane = threadIdx.x, v = in[lane];
    if (lane < 16) {
        s[lane] = v;
#ifdef FIXED
        __syncwarp(0x0000ffffu);
#else
        __syncwarp(__activemask());                 // <-- BUG
#endif
        out[lane] = s[15 - lane];
    }
}
int main() {
    int h[32], *in, *out;
    for (int i = 0; i < 32; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    swap<<<1, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 16 * sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
