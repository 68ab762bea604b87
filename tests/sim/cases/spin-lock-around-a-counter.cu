// id:       spin-lock-around-a-counter
// chapter:  warps-divergence
// did:      let every thread, those of one warp too, increase a plain counter under a lock
// right:    the lock is taken and given back by atomics with fences, and since Volta each lane
//           makes progress
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ int lock;
__global__ void count(const int* in, int* out) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            *out = *out + in[blockIdx.x * blockDim.x + threadIdx.x];
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
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
    count<<<4, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g (want 32640)\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
