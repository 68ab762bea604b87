// id:       words-for-neighbouring-bytes
// chapter:  shared-memory
// did:      cleared one byte by reading, masking and writing its 32-bit word
// cause:    the neighbouring threads do the same with other bytes of that word, and undo each other
// kind:     shared-race
// point-at: line 21

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void clear(const int* in, int* out) {
    __shared__ unsigned s[16];
    int t = threadIdx.x;
    if (t < 16) s[t] = in[t];
    __syncthreads();
#ifdef FIXED
    reinterpret_cast<unsigned char*>(s)[t] = 0;
#else
    s[t / 4] &= ~(0xffu << 8 * (t % 4));            // <-- BUG
#endif
    __syncthreads();
    if (t < 16) out[t] = s[t];
}
int main() {
    const int n = 64, m = 16;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    clear<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g (want 0)\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
