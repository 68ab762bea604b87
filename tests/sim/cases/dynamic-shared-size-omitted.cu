// id:       dynamic-shared-size-omitted
// chapter:  shared-memory
// source:   GitHub alicevision/popsift pull request #109
// did:      launched a kernel that uses extern __shared__ with 0 as the third launch parameter
// saw:      invisible in Release; the checker fails in Debug
// cause:    the kernel owns no dynamic shared memory at all
// kind:     out-of-bounds
// point-at: line 20 (also accept: 33)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void reverse(int* v, int n) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    if (t < n) s[t] = v[t];                         // <-- BUG
    __syncthreads();
    if (t < n) v[t] = s[n - 1 - t];
}
int main() {
    const int n = 128;
    int h[n], *d;
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&d, sizeof(h)));
    CK(cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice));
#ifdef FIXED
    reverse<<<1, n, n * sizeof(int)>>>(d, n);
#else
    reverse<<<1, n>>>(d, n);                        // <-- also accepted
#endif
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 127)\n", h[0]);
    CK(cudaFree(d));
}
