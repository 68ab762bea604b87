// id:       float4-on-odd-sub-buffer
// chapter:  memory-hierarchy
// source:   GitHub PaddlePaddle/Paddle pull request #23090
// did:      placed a second array at base + scratch_size and used float4 on it
// saw:      invalid write of size 16: address is misaligned, for some sizes only
// cause:    the offset is not a multiple of 4 floats: round it up
// kind:     misaligned
// point-at: line 19 (also accept: 26)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void copy4(const float4* src, float4* dst, int n4) {
    int i = threadIdx.x;
    if (i < n4) dst[i] = src[i];                    // <-- BUG
}
int main() {
    const int scratch = 30, n = 64;                 // 30 is not a multiple of 4
#ifdef FIXED
    const int off = (scratch + 3) / 4 * 4;
#else
    const int off = scratch;                        // <-- also accepted
#endif
    float h[n], *pool, *src;
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&src, sizeof(h))); CK(cudaMalloc(&pool, (off + n) * sizeof(float)));
    CK(cudaMemcpy(src, h, sizeof(h), cudaMemcpyHostToDevice));
    copy4<<<1, 32>>>((const float4*)src, (float4*)(pool + off), n / 4);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, pool + off, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %g (want 63)\n", h[n - 1]);
    CK(cudaFree(src)); CK(cudaFree(pool));
}
