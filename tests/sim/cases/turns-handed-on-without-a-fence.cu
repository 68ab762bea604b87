// id:       turns-handed-on-without-a-fence
// chapter:  warps-divergence
// source:   GitHub NVIDIA/Fuser pull request #2391 (semaphore released without __threadfence)
// did:      let blocks add one after the other, by a counter, without a fence
// cause:    the counter may be seen before the sums are
// kind:     global-race
// point-at: line 18 (also accept: 23)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void accumulate(const float* part, float* sum, int* turn) {
    int t = threadIdx.x, b = blockIdx.x;
    if (t == 0) while (atomicAdd(turn, 0) != b) {}
    __syncthreads();
    sum[t] += part[b * 32 + t];                     // <-- BUG
#ifdef FIXED
    __threadfence();
#endif
    __syncthreads();
    if (t == 0) atomicExch(turn, b + 1);            // <-- also accepted
}
int main() {
    static float h[128]; float *p, *s; int* n;
    CK(cudaMalloc(&p, sizeof h)); CK(cudaMalloc(&s, 128)); CK(cudaMalloc(&n, 4));
    CK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice)); CK(cudaMemset(s, 0, 128)); CK(cudaMemset(n, 0, 4));
    accumulate<<<4, 32>>>(p, s, n);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(p)); CK(cudaFree(s)); CK(cudaFree(n));
}
