// id:       every-thread-writes-the-total
// chapter:  shared-memory
// did:      let all threads store what only one should
// cause:    the threads have different values, so which one stays is chance
// kind:     global-race
// point-at: line 23

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void total(const int* in, int* out) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    int v = atomicAdd(&s, in[threadIdx.x]) + in[threadIdx.x];
#ifdef FIXED
    __syncthreads();
    if (threadIdx.x == 0) v = s;
    if (threadIdx.x == 0) *out = v;
#else
    *out = v;                                       // <-- BUG
#endif
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
    total<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g (want 2016)\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
