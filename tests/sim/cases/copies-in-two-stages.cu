// id:       copies-in-two-stages
// chapter:  shared-memory
// did:      loaded the next tile while the block still works on this one, with asynchronous copies
// right:    each turn waits for its group and then at the barrier; the other stage is not touched
//           meanwhile
// kind:     none

#include <cuda_pipeline.h>
#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void staged(const int* in, int* out) {
    __shared__ int s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(int));
    __pipeline_commit();
    for (int k = 0; k < 4; k++) {
        if (k < 3) __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[64 * (k + 1) + t], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[64 * k + t] = s[k % 2][63 - t];
        __syncthreads();
    }
}
int main() {
    const int n = 256, m = 256;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    staged<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
