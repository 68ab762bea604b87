// id:       until-no-thread-of-the-block-changed-anything
// chapter:  shared-memory
// did:      put a barrier into the condition of a loop
// right:    its answer is the same for all, so all leave the loop in the same turn
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void relax(int* out, int n) {
    __shared__ int a[128];
    int t = threadIdx.x;
    a[t] = t == 0 ? 0 : 1000;
    __syncthreads();
    int changed;
    do {
        int left = t > 0 ? a[t - 1] + 1 : 0;
        __syncthreads();
        changed = left < a[t];
        if (changed) a[t] = left;
    } while (__syncthreads_or(changed));
    if (t < n) out[t] = a[t];
}
int main() {
    int h[128], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    relax<<<1, 128>>>(out, 100);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 100 * sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[99]);
    CK(cudaFree(out));
}
