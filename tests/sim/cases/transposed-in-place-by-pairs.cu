// id:       transposed-in-place-by-pairs
// chapter:  shared-memory
// did:      transposed in place, each pair by one thread
// cause:    below the diagonal, nobody else touches the pair
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void t(float* a, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < x) { float u = a[y * n + x]; a[y * n + x] = a[x * n + y]; a[x * n + y] = u; }
}
int main() {
    const int n = 40; static float h[n * n]; float* a;
    CK(cudaMalloc(&a, sizeof h)); CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    t<<<dim3(3, 3), dim3(16, 16)>>>(a, n);
    CK(cudaGetLastError()); CK(cudaDeviceSynchronize());
    CK(cudaFree(a));
}
