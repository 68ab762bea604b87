// id:       ballot-between-write-and-read
// chapter:  warps-divergence
// did:      read from shared memory what another lane wrote, with no __syncwarp()
// right:    the ballot between the two is a meeting of all lanes, and orders them as __syncwarp()
//           would
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void compact(const int* in, int* out) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    s[lane] = in[lane];
    unsigned odd = __ballot_sync(0xffffffffu, in[lane] & 1);
    int next = s[(lane + 1) % 32];
    out[lane] = next + __popc(odd);
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
    compact<<<1, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
