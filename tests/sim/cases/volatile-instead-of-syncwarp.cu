// id:       volatile-instead-of-syncwarp
// chapter:  warps-divergence
// did:      made the shared array volatile for the last warp of a reduction, as texts before 2017
//           do
// cause:    volatile keeps each access, but since Volta lanes are not in step: each step needs
//           __syncwarp()
// kind:     shared-race
// point-at: line 30 (also accept: 31, 32)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        volatile int* v = s;
#ifdef FIXED
        for (int d = 32; d > 0; d /= 2) {
            int x = v[t + d];
            __syncwarp();
            v[t] += x;
            __syncwarp();
        }
#else
        v[t] += v[t + 32]; v[t] += v[t + 16];       // <-- BUG
        v[t] += v[t + 8]; v[t] += v[t + 4];         // <-- also accepted
        v[t] += v[t + 2]; v[t] += v[t + 1];         // <-- also accepted
#endif
    }
    if (t == 0) *out = s[0];
}
int main() {
    const int n = 64, m = 1;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    sum<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g (want 2016)\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
