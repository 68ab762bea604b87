// id:       lanes-exchange-without-syncwarp
// chapter:  shared-memory
// did:      let the lanes of a warp exchange values through shared memory without a barrier
// cause:    since Volta lanes need not run in step
// kind:     shared-race
// point-at: line 20 (also accept: 16)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void swap(const int* in, int* out) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    s[lane] = in[lane];                             // <-- also accepted
#ifdef FIXED
    __syncwarp();
#endif
    out[lane] = s[lane ^ 1];                        // <-- BUG
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
    swap<<<1, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
