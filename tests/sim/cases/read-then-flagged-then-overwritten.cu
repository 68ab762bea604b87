// id:       read-then-flagged-then-overwritten
// chapter:  warps-divergence
// did:      let block 1 overwrite what block 0 has read, as soon as block 0's flag is up, without a
//           fence
// right:    all of block 0 has its values when the flag goes up, after the barrier: nothing that is
//           written later can spoil them. A fence orders what was written; block 0 wrote nothing
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ volatile int flag;
__global__ void shift(int* data, int* out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        int v = data[t];
        __syncthreads();
        if (t == 0) flag = 1;
        out[t] = v;
    } else {
        if (t == 0) while (flag == 0) { }
        __syncthreads();
        data[t] = 2 * t;
    }
}
int main() {
    const int n = 64;
    int *data, *out;
    static int h[n], r[n];
    for (int i = 0; i < n; i++) h[i] = 1;
    CK(cudaMalloc(&data, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(data, h, sizeof(h), cudaMemcpyHostToDevice));
    shift<<<2, n>>>(data, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < n; i++) sum += r[i];
    printf("saw: %g (want 64)\n", sum);
    CK(cudaFree(data)); CK(cudaFree(out));
}
