// id:       vectors-between-a-head-and-a-tail
// chapter:  memory-hierarchy
// did:      scaled an array that begins at no multiple of sixteen bytes by float4
// cause:    the unaligned ends are done one by one
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void twice(float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, head = (4 - (size_t(a) / 4) % 4) % 4;
    if (i < head && i < n) a[i] *= 2;
    float4* v = reinterpret_cast<float4*>(a + head);
    int m = n > head ? (n - head) / 4 : 0;
    if (i < m) { float4 q = v[i]; q.x *= 2; q.y *= 2; q.z *= 2; q.w *= 2; v[i] = q; }
    int tail = head + 4 * m + i;
    if (i < 3 && tail < n && tail >= head) a[tail] *= 2;
}
int main() {
    const int n = 1001; static float h[n]; float* a;
    CK(cudaMalloc(&a, sizeof h)); CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    twice<<<1, 256>>>(a + 3, n - 3);
    CK(cudaGetLastError()); CK(cudaDeviceSynchronize());
    CK(cudaFree(a));
}
