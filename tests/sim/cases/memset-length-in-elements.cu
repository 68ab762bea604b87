// id:       memset-length-in-elements
// chapter:  memory-hierarchy
// source:   GitHub OISF/suricata pull request #400 ('Wrong size specified to memset')
// did:      cleared n bytes of an n-element int table
// saw:      three quarters of the counters start from garbage
// cause:    the length of cudaMemset is in bytes
// kind:     uninitialised-read
// point-at: line 19 (also accept: 30)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void count(const unsigned char* t, int n, int* bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[t[i]], 1);           // <-- BUG
}
int main() {
    const int n = 512;
    unsigned char txt[n], *t; int h[256], *bins;
    for (int i = 0; i < n; i++) txt[i] = i % 256;
    CK(cudaMalloc(&t, n)); CK(cudaMalloc(&bins, 256 * sizeof(int)));
    CK(cudaMemcpy(t, txt, n, cudaMemcpyHostToDevice));
#ifdef FIXED
    CK(cudaMemset(bins, 0, 256 * sizeof(int)));
#else
    CK(cudaMemset(bins, 0, 256));                   // <-- also accepted
#endif
    count<<<2, 256>>>(t, n, bins);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, bins, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: bin 255 = %d (want 2)\n", h[255]);
    CK(cudaFree(t)); CK(cudaFree(bins));
}
