// id:       shared-tail-never-filled
// chapter:  shared-memory
// did:      filled shared memory under a bounds check and summed all of it
// cause:    threads without an element must store a neutral one
// kind:     uninitialised-read
// point-at: line 25

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum(const int* v, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
#ifdef FIXED
    s[t] = t < n ? v[t] : 0;
#else
    if (t < n) s[t] = v[t];
#endif
    __syncthreads();
    if (t == 0) {
        int total = 0;
        for (int k = 0; k < 128; k++) total += s[k];   // <-- BUG
        *out = total;
    }
}
int main() {
    const int n = 100;
    int h[n], *v, *out, r = 0;
    for (int& x : h) x = 1;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, 4));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    sum<<<1, 128>>>(v, out, n); CK(cudaGetLastError());
    CK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 100)\n", r);
    CK(cudaFree(v)); CK(cudaFree(out));
}
