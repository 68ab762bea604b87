// id:       named-barrier-of-the-wrong-half
// chapter:  shared-memory
// did:      gave both halves of the block a barrier of their own and read what the other half wrote
// cause:    a named barrier orders the threads that it counts, and no others
// kind:     shared-race
// point-at: line 22 (also accept: 16)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void reverse(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];                                   // <-- also accepted
#ifdef FIXED
    __syncthreads();
#else
    asm volatile("bar.sync %0, 64;" :: "r"(1 + t / 64) : "memory");
#endif
    out[t] = s[127 - t];                            // <-- BUG
}
int main() {
    const int n = 128, m = 128;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    reverse<<<1, 128>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
