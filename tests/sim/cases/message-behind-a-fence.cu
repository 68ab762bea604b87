// id:       message-behind-a-fence
// chapter:  warps-divergence
// did:      handed data from one block to another within one kernel, without a barrier
// right:    a fence stands between the data and a volatile flag, and the reader waits for the flag
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ volatile int flag;
__global__ void relay(const int* in, int* out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        out[t] = 2 * in[t];
        __threadfence();
        __syncthreads();
        if (t == 0) flag = 1;
    } else {
        if (t == 0) while (flag == 0) { }
        __syncthreads();
        __threadfence();
        out[64 + t] = out[63 - t] + 1;
    }
}
int main() {
    const int n = 64, m = 128;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    relay<<<2, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
