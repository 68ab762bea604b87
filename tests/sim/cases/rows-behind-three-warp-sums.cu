// id:       rows-behind-three-warp-sums
// chapter:  shared-memory
// source:   GitHub flashinfer-ai/flashinfer pull request #636 (smem + num_warps read as float4)
// did:      placed float4 rows behind one float for each warp in dynamic shared memory
// cause:    three floats are no multiple of sixteen bytes
// kind:     misaligned
// point-at: line 23 (also accept: 30)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void norm(const float* x, float* y, int warps) {
    extern __shared__ float smem[];
    int t = threadIdx.x;
    float4 v = reinterpret_cast<const float4*>(x)[t];
#ifdef FIXED
    float4* rows = reinterpret_cast<float4*>(smem + (warps + 3) / 4 * 4);
#else
    float4* rows = reinterpret_cast<float4*>(smem + warps);
#endif
    rows[t] = v;                                    // <-- BUG
    float s = v.x + v.y + v.z + v.w;
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    if (t % 32 == 0) smem[t / 32] = s;
    __syncthreads();
    float sum = 0;
    for (int w = 0; w < warps; w++) sum += smem[w];
    float4 r = rows[t];                             // <-- also accepted
    r.x /= sum; r.y /= sum; r.z /= sum; r.w /= sum;
    reinterpret_cast<float4*>(y)[t] = r;
}
int main() {
    const int n = 96 * 4;
    float h[n], *x, *y;
    for (float& v : h) v = 1;
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&y, sizeof h));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    norm<<<1, 96, (4 + n) * sizeof(float)>>>(x, y, 3);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
    printf("%g\n", h[0]);
    CK(cudaFree(x)); CK(cudaFree(y));
}
