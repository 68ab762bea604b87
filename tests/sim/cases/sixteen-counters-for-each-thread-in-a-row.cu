// id:       sixteen-counters-for-each-thread-in-a-row
// chapter:  shared-memory
// did:      gave each thread a row of 16 counters in shared memory
// saw:      right, and slow
// cause:    the rows are 16 words apart, so 16 lanes want the same bank
// kind:     perf-bank-conflict
// point-at: line 25
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void perThread(const int* in, int* out, int n) {
    __shared__ int count[64 * 16];
    for (int b = 0; b < 16; b++) count[b * 64 + threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int b = in[k] & 15;
#ifdef FIXED
        count[b * 64 + threadIdx.x] += 1;
#else
        count[threadIdx.x * 16 + b] += 1;           // <-- BUG
#endif
    }
    __syncthreads();
    int sum = 0;
    for (int b = 0; b < 16; b++) sum += count[b * 64 + threadIdx.x];
    out[threadIdx.x] = sum;
}
int main() {
    const int n = 512;
    int h[n], *in, *out;
    for (int i = 0; i < n; i++) h[i] = i * 7;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, 64 * sizeof(int)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    perThread<<<1, 64>>>(in, out, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
