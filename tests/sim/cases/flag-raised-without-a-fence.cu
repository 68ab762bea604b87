// id:       flag-raised-without-a-fence
// chapter:  warps-divergence
// did:      wrote the data, then the volatile flag, and trusted the order of the two lines
// cause:    without a fence the flag may be seen before the data
// kind:     global-race
// point-at: line 27 (also accept: 17)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ volatile int flag;
__global__ void relay(const int* in, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        out[0] = in[5] + 1;                         // <-- also accepted
#ifdef FIXED
        __threadfence();
#endif
        flag = 1;
    } else {
        while (flag == 0) { }
#ifdef FIXED
        __threadfence();
#endif
        out[1] = out[0] + 1;                        // <-- BUG
    }
}
int main() {
    const int n = 64, m = 2;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    relay<<<2, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
