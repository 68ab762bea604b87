// id:       fourth-component-never-used
// chapter:  memory-hierarchy
// did:      filled x, y and z of float4s and loaded them as a whole
// why right:the fourth component holds nothing and is loaded, but nothing is made of it
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(float4* p) { float4& v = p[threadIdx.x]; v.x = 1; v.y = 2; v.z = 3; }
__global__ void norm(const float4* p, float* out) {
    float4 v = p[threadIdx.x];
    out[threadIdx.x] = v.x * v.x + v.y * v.y + v.z * v.z;
}
int main() {
    float4* p; float *out, h[32];
    CK(cudaMalloc(&p, 32 * sizeof(float4))); CK(cudaMalloc(&out, sizeof(h)));
    fill<<<1, 32>>>(p); CK(cudaGetLastError());
    norm<<<1, 32>>>(p, out); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %g (want 14)\n", h[31]);
    CK(cudaFree(p)); CK(cudaFree(out));
}
