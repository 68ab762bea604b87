// id:       early-return-before-barrier
// chapter:  shared-memory
// source:   Stack Overflow 6666382 'Can I use __syncthreads() after having dropped threads?';
//           GitHub pytorch/FBGEMM pull requests #5831, #5857
// did:      dropped the excess threads with return and used barriers afterwards
// saw:      works in practice on NVIDIA cards so far; deadlocks elsewhere
// cause:    all threads of the block must reach the barrier: guard the work, not the thread
// kind:     barrier-divergence
// point-at: line 28 (also accept: 26)
// shows:    always (barrier check)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void rev(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
#ifdef FIXED
    if (t < n) s[t] = in[t];
    __syncthreads();
    if (t < n) out[t] = s[n - 1 - t];
#else
    if (t >= n) return;                             // <-- also accepted
    s[t] = in[t];
    __syncthreads();                                // <-- BUG
    out[t] = s[n - 1 - t];
#endif
}
int main() {
    const int n = 100;
    int h[n], *in, *out;
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    rev<<<1, 128>>>(in, out, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 99)\n", h[0]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
