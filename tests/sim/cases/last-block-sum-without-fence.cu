// id:       last-block-sum-without-fence
// chapter:  warps-divergence
// source:   GitHub NVIDIA/cuml issue #4157 ('Missing threadfence in grid sync')
// did:      published a partial result and then bumped the ticket counter without a fence in the
//           publishing thread
// saw:      very rare wrong totals on large grids
// cause:    without __threadfence the ticket can be seen before the partial sum
// kind:     global-race
// point-at: line 37 (also accept: 25)
// shows:    happens-before (fences)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ unsigned ticket;
__global__ void sumAll(const int* v, int* part, int* out) {
    __shared__ bool last;
    int b = blockIdx.x, t = threadIdx.x;
    if (t == 0) {
        int s = 0;
        for (int i = 0; i < 64; i++) s += v[b * 64 + i];
        part[b] = s;                                // <-- also accepted
#ifdef FIXED
        __threadfence();
#endif
        last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
#ifdef FIXED
        __threadfence();
#endif
        int s = 0;
        for (int i = 0; i < gridDim.x; i++) s += ((volatile int*)part)[i];   // <-- BUG
        *out = s;
    }
}
int main() {
    const int B = 16, n = B * 64;
    int h[n], *v, *part, *out, r = 0;
    for (int& x : h) x = 1;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&part, B * sizeof(int))); CK(cudaMalloc(&out, sizeof(int)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    sumAll<<<B, 32>>>(v, part, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 1024; may look right)\n", r);
    CK(cudaFree(v)); CK(cudaFree(part)); CK(cudaFree(out));
}
