// id:       plain-store-to-a-polled-flag
// chapter:  warps-divergence
// did:      made the reader of the flag volatile, but not the writer
// cause:    a plain store to a place that another thread polls is a race; the compiler may move or
//           drop it
// kind:     global-race
// point-at: line 22 (also accept: 25, 27)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void relay(const int* in, int* out, int* flag) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        out[0] = in[5] + 1;
        __threadfence();
#ifdef FIXED
        atomicExch(flag, 1);
#else
        *flag = 1;                                  // <-- BUG
#endif
    } else {
        while (*(volatile int*)flag == 0) { }       // <-- also accepted
        __threadfence();
        out[1] = out[0] + 1;                        // <-- also accepted
    }
}
int main() {
    const int n = 64, m = 3;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    relay<<<2, 32>>>(in, out, out + 2);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
