// id:       rows-behind-the-matrix-are-not-read-back
// chapter:  matmul
// did:      multiplied a tile of which only some rows are filled
// right:    a row of the product depends on its own row alone, and only those that are filled are
//           used
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <mma.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

using namespace nvcuda;
__global__ void multiply(const half* a, const half* b, float* c, int rows) {
    __shared__ half as[256], bs[256];
    __shared__ float cs[256];
    for (int i = threadIdx.x; i < 256; i += 32) {
        if (i / 16 < rows) as[i] = a[i];
        bs[i] = b[i];
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, as, 16);
    wmma::load_matrix_sync(fb, bs, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(cs, fc, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 16 * rows; i += 32) c[i] = 2 * cs[i];
}
int main() {
    half h[256], *a, *b; float *c, r[256];
    for (int i = 0; i < 256; i++) h[i] = half(1);
    CK(cudaMalloc(&a, sizeof(h))); CK(cudaMalloc(&b, sizeof(h))); CK(cudaMalloc(&c, sizeof(r)));
    CK(cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemcpy(b, h, sizeof(h), cudaMemcpyHostToDevice));
    multiply<<<1, 32>>>(a, b, c, 10);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, c, 640, cudaMemcpyDeviceToHost));
    printf("saw: %g\n", r[0]);
    CK(cudaFree(a)); CK(cudaFree(b)); CK(cudaFree(c));
}
