// id:       flagged-before-all-have-read
// chapter:  warps-divergence
// did:      one thread raised the flag for its whole block without waiting for the others
// cause:    the other warps may not have read yet when block 1 overwrites what they want
// kind:     global-race
// point-at: line 26 (also accept: 17)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ volatile int flag;
__global__ void shift(int* data, int* out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        int v = data[t];                            // <-- also accepted
#ifdef FIXED
        __syncthreads();
#endif
        if (t == 0) flag = 1;
        out[t] = v;
    } else {
        if (t == 0) while (flag == 0) { }
        __syncthreads();
        data[t] = 2 * t;                            // <-- BUG
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
