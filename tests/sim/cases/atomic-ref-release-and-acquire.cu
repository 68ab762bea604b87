// id:       atomic-ref-release-and-acquire
// chapter:  warps-divergence
// did:      passed data between blocks with no __threadfence() at all
// right:    cuda::atomic_ref stores with release and loads with acquire, at device scope
// kind:     none

#include <cuda/atomic>
#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void relay(const int* in, int* out, int* flag) {
    int t = threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        out[t] = in[t] + 1;
        __syncthreads();
        if (t == 0) ready.store(1, cuda::memory_order_release);
    } else {
        if (t == 0) while (ready.load(cuda::memory_order_acquire) == 0) { }
        __syncthreads();
        out[64 + t] = out[63 - t];
    }
}
int main() {
    const int n = 64, m = 129;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    relay<<<2, 64>>>(in, out, out + 128);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
