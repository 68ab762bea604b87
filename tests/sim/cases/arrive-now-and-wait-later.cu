// id:       arrive-now-and-wait-later
// chapter:  shared-memory
// did:      did other work between the arrival at a barrier and the wait for it
// right:    cuda::barrier: what came before the arrival is seen after the wait
// kind:     none

#include <cuda/barrier>
#include <utility>
#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void rotate(const int* in, int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) init(&barrier, 64);
    __syncthreads();
    s[t] = in[t];
    auto token = barrier.arrive();
    int own = in[t] * 3;
    barrier.wait(std::move(token));
    out[t] = own + s[(t + 40) % 64];
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
    rotate<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
