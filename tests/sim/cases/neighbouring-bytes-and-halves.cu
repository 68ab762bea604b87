// id:       neighbouring-bytes-and-halves
// chapter:  shared-memory
// did:      let neighbouring threads write parts of one 32-bit word
// right:    bytes and half-words are memory locations of their own: different threads may write
//           them at once
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void narrow(const int* in, unsigned char* bytes, short* halves) {
    __shared__ unsigned char s[64];
    __shared__ short h[64];
    int t = threadIdx.x;
    s[t] = in[t];
    h[63 - t] = in[t];
    bytes[3 * t] = in[t]; bytes[3 * t + 1] = t; bytes[3 * t + 2] = 7;
    halves[t] = s[t] + h[63 - t];
}
int main() {
    const int n = 64, m = 96;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    narrow<<<1, 64>>>(in, (unsigned char*)out, (short*)(out + 64));
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
