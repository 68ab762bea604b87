// id:       edge-mended-after-the-load
// chapter:  shared-memory
// source:   GitHub JuliaParallel/rodinia issue #12 (srad_v2)
// did:      loaded the row above first, and put the border's value in its place afterwards
// cause:    the border must be tested before the address is used, not after
// kind:     out-of-bounds
// point-at: line 23

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#define B 16
__global__ void gradient(const float* J, float* dN, int cols) {
    __shared__ float north[B][B], here[B][B];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int index = cols * B * by + B * bx + cols * ty + tx;
    int index_n = cols * B * by + B * bx + tx - cols;
#ifdef FIXED
    north[ty][tx] = by == 0 ? J[B * bx + tx] : J[index_n];
#else
    north[ty][tx] = J[index_n];                     // <-- BUG
    if (by == 0) north[ty][tx] = J[B * bx + tx];
#endif
    here[ty][tx] = J[index];
    __syncthreads();
    dN[index] = (ty == 0 ? north[ty][tx] : here[ty - 1][tx]) - here[ty][tx];
}
int main() {
    const int n = 32;
    float* h = new float[n * n], *J, *d;
    for (int i = 0; i < n * n; i++) h[i] = float(i % 13);
    CK(cudaMalloc(&J, n * n * sizeof(float))); CK(cudaMalloc(&d, n * n * sizeof(float)));
    CK(cudaMemcpy(J, h, n * n * sizeof(float), cudaMemcpyHostToDevice));
    gradient<<<dim3(2, 2), dim3(B, B)>>>(J, d, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, d, n * n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%g\n", h[5]);
    CK(cudaFree(J)); CK(cudaFree(d)); delete[] h;
}
