// id:       tile-for-the-tensor-core-filled-in-part
// chapter:  matmul
// did:      filled the rows of a tile that the matrix has, and multiplied the whole tile
// saw:      some columns are garbage or NaN
// cause:    rows of B that were not set reach every element of the sum
// kind:     uninitialised-read
// point-at: line 35
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <mma.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

using namespace nvcuda;
__global__ void multiply(const half* a, const half* b, float* c, int k) {
    __shared__ half as[256], bs[256];
    for (int i = threadIdx.x; i < 256; i += 32) {
        as[i] = i % 16 < k ? a[i] : half(0);
#ifdef FIXED
        bs[i] = i / 16 < k ? b[i] : half(0);
#else
        if (i / 16 < k) bs[i] = b[i];
#endif
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, as, 16);
    wmma::load_matrix_sync(fb, bs, 16);             // <-- BUG
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
int main() {
    half h[256], *a, *b; float *c, r[256];
    for (int i = 0; i < 256; i++) h[i] = half(1);
    CK(cudaMalloc(&a, sizeof(h))); CK(cudaMalloc(&b, sizeof(h))); CK(cudaMalloc(&c, sizeof(r)));
    CK(cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemcpy(b, h, sizeof(h), cudaMemcpyHostToDevice));
    multiply<<<1, 32>>>(a, b, c, 12);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, c, sizeof(r), cudaMemcpyDeviceToHost));
    printf("saw: %g\n", r[0]);
    CK(cudaFree(a)); CK(cudaFree(b)); CK(cudaFree(c));
}
