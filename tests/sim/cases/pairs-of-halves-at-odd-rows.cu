// id:       pairs-of-halves-at-odd-rows
// chapter:  memory-hierarchy
// source:   GitHub apache/tvm issue #8540 (uint1 load of two halves at an odd offset)
// did:      read rows of seven halves two by two
// cause:    every other row begins in the middle of a pair
// kind:     misaligned
// point-at: line 24

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#include <cuda_fp16.h>
__global__ void sumRows(const __half* a, float* out, int cols) {
    int r = threadIdx.x;
#ifdef FIXED
    float s = 0;
    for (int c = 0; c < cols; c++) s += __half2float(a[r * cols + c]);
#else
    const __half2* row = reinterpret_cast<const __half2*>(a + r * cols);
    float s = 0;
    for (int c = 0; c < cols / 2; c++) {
        float2 f = __half22float2(row[c]);          // <-- BUG
        s += f.x + f.y;
    }
    s += __half2float(a[r * cols + cols - 1]);
#endif
    out[r] = s;
}
int main() {
    const int rows = 4, cols = 7;
    __half h[rows * cols], *a; float r[rows], *o;
    for (int i = 0; i < rows * cols; i++) h[i] = __float2half(float(i % 5));
    CK(cudaMalloc(&a, sizeof h)); CK(cudaMalloc(&o, sizeof r));
    CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    sumRows<<<1, rows>>>(a, o, cols);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost));
    printf("%g\n", r[0]);
    CK(cudaFree(a)); CK(cudaFree(o));
}
