// id:       threads-keep-to-their-elements
// chapter:  shared-memory
// did:      read and wrote shared memory again and again without any barrier
// right:    each thread only ever touches its own column
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void columns(const int* in, int* out) {
    __shared__ int s[4][64];
    int t = threadIdx.x;
    for (int r = 0; r < 4; r++) s[r][t] = in[64 * r + t];
    for (int r = 1; r < 4; r++) s[r][t] += s[r - 1][t];
    out[t] = s[3][t];
}
int main() {
    const int n = 256, m = 64;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    columns<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
