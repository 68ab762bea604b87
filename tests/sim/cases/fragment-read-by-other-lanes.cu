// id:       fragment-read-by-other-lanes
// chapter:  matmul
// source:   GitHub JustVugg/colibri issue #1099 (store_matrix_sync without __syncwarp)
// did:      stored a matrix fragment and read it by rows in the same warp
// cause:    each lane reads what others have stored: the warp must meet in between
// kind:     shared-race
// point-at: line 31 (also accept: 25)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#include <mma.h>
using namespace nvcuda;
__global__ void mm(const __half* a, const __half* b, float* rowSum) {
    __shared__ float out[256];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);   // <-- also accepted
#ifdef FIXED
    __syncwarp();
#endif
    if (threadIdx.x < 16) {
        float s = 0;
        for (int c = 0; c < 16; c++) s += out[threadIdx.x * 16 + c];   // <-- BUG
        rowSum[threadIdx.x] = s;
    }
}
int main() {
    static __half h[256]; __half *a, *b; float* r;
    CK(cudaMalloc(&a, sizeof h)); CK(cudaMalloc(&b, sizeof h)); CK(cudaMalloc(&r, 64));
    CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice)); CK(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
    mm<<<1, 32>>>(a, b, r);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(a)); CK(cudaFree(b)); CK(cudaFree(r));
}
