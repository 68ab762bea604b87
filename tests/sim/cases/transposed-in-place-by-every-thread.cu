// id:       transposed-in-place-by-every-thread
// chapter:  shared-memory
// did:      let every thread swap its element with the one across the diagonal
// cause:    two threads swap each pair
// kind:     global-race
// point-at: line 21 (also accept: 20, 22)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void transpose(float* a, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef FIXED
    if (x < n && y < x) {
#else
    if (x < n && y < n) {
#endif
        float t = a[y * n + x];                     // <-- also accepted
        a[y * n + x] = a[x * n + y];                // <-- BUG
        a[x * n + y] = t;                           // <-- also accepted
    }
}
int main() {
    const int n = 32;
    float h[n * n], *a;
    for (int i = 0; i < n * n; i++) h[i] = float(i);
    CK(cudaMalloc(&a, sizeof h));
    CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    transpose<<<dim3(2, 2), dim3(16, 16)>>>(a, n);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(a));
}
