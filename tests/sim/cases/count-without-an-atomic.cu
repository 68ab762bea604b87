// id:       count-without-an-atomic
// chapter:  warps-divergence
// did:      let every thread increase a counter with ++
// cause:    read, add and write are three steps: two threads may read the same old value
// kind:     global-race
// point-at: line 18

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void evens(const int* in, int* out) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] % 2 == 0)
#ifdef FIXED
        atomicAdd(out, 1);
#else
        ++*out;                                     // <-- BUG
#endif
}
int main() {
    const int n = 256, m = 1;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    evens<<<4, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g (want 128)\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
