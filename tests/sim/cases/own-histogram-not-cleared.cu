// id:       own-histogram-not-cleared
// chapter:  memory-hierarchy
// did:      counted into an array of the thread without setting it to zero first
// cause:    local arrays start with whatever was there
// kind:     uninitialised-read
// point-at: line 20 (also accept: 21)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void digits(const unsigned char* v, int* out, int n) {
#ifdef FIXED
    int bins[10] = {};
#else
    int bins[10];
#endif
    for (int i = 0; i < n; i++) bins[v[i] % 10]++;  // <-- BUG
    for (int k = 0; k < 10; k++) out[threadIdx.x * 10 + k] = bins[k];   // <-- also accepted
}
int main() {
    const int n = 50;
    unsigned char text[n], *v; int h[320], *out;
    for (int i = 0; i < n; i++) text[i] = i;
    CK(cudaMalloc(&v, n)); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(v, text, n, cudaMemcpyHostToDevice));
    digits<<<1, 32>>>(v, out, n); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 5)\n", h[3]);
    CK(cudaFree(v)); CK(cudaFree(out));
}
