// id:       copy-not-waited-for
// chapter:  shared-memory
// did:      put a barrier after the asynchronous copy and took that for a wait
// cause:    __syncthreads() does not wait for copies: each thread must wait for its own first
// kind:     shared-race (also accept: uninitialised-read)
// point-at: line 17 (also accept: 23)

#include <cuda_pipeline.h>
#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void reverse(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));   // <-- BUG
    __pipeline_commit();
#ifdef FIXED
    __pipeline_wait_prior(0);
#endif
    __syncthreads();
    out[t] = s[63 - t];                             // <-- also accepted
}
int main() {
    const int n = 64, m = 64;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    reverse<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
