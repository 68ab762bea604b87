// id:       volatile-flag-between-warps
// chapter:  shared-memory
// did:      let one warp wait for another by polling shared memory
// right:    the flag is volatile and a fence of block scope stands between the data and the flag
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void relay(const int* in, int* out) {
    __shared__ volatile int flag;
    __shared__ int s[32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t < 32) {
        s[lane] = in[lane];
        __syncwarp();
        __threadfence_block();
        if (lane == 0) flag = 1;
    } else {
        while (flag == 0) { }
        __threadfence_block();
        out[lane] = s[31 - lane];
    }
}
int main() {
    const int n = 32, m = 32;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    relay<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
