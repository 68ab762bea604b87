// id:       array-indexed-by-data
// chapter:  memory-hierarchy
// did:      kept a small histogram in an array of each thread, to save shared memory
// saw:      far slower than expected; the profiler shows local memory traffic
// cause:    the index comes from the data, and registers have no addresses: the array is memory
// kind:     perf-spill
// point-at: line 19 (also accept: 21)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fullest(const unsigned char* v, int* out, int each) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, most = 0;
#ifndef FIXED
    int bins[16] = {};
    for (int k = 0; k < each; k++) bins[v[t * each + k] % 16]++;   // <-- BUG
    #pragma unroll
    for (int b = 0; b < 16; b++) most = max(most, bins[b]);
#else
    unsigned long long low = 0, high = 0;   // 16 counts of 8 bits
    for (int k = 0; k < each; k++) {
        int b = v[t * each + k] % 16;
        if (b < 8) low += 1ull << 8 * b; else high += 1ull << 8 * (b - 8);
    }
    #pragma unroll
    for (int b = 0; b < 8; b++)
        most = max(most, max((int)(low >> 8 * b & 255), (int)(high >> 8 * b & 255)));
#endif
    out[t] = most;
}
int main() {
    const int threads = 2048, each = 16;
    static unsigned char h[threads * each];
    for (int i = 0; i < threads * each; i++) h[i] = (unsigned char)(i * i / 7);
    unsigned char* v; int* out;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, threads * sizeof(int)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    fullest<<<threads / 128, 128>>>(v, out, each);
    CK(cudaGetLastError());
    printf("saw: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    CK(cudaFree(v)); CK(cudaFree(out));
}
