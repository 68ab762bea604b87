// id:       tile-declared-one-column-short
// chapter:  shared-memory
// source:   page lynx-cortex.pages.dev 'Break - the kernel that overruns shared memory'
// did:      declared tile[16][15] and indexed columns 0..15
// saw:      no error; every 16th element of a row is wrong, with values of the next row
// cause:    tile[r][15] is tile[r+1][0]: inside the array but out of the row (only the last row
//           leaves it)
// kind:     out-of-bounds (also accept: wrong-result, shared-race)
// point-at: line 26 (also accept: 21)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#ifdef FIXED
const int W = 16;
#else
const int W = 15;                                   // <-- also accepted
#endif
__global__ void copyTile(const int* in, int* out) {
    __shared__ int tile[16][W];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 16 + x];                    // <-- BUG
    __syncthreads();
    out[y * 16 + x] = tile[y][x];
}
int main() {
    int h[256], *in, *out, bad = 0;
    for (int i = 0; i < 256; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    copyTile<<<1, dim3(16, 16)>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++) bad += h[i] != i;
    printf("saw: %d wrong (want 0)\n", bad);
    CK(cudaFree(in)); CK(cudaFree(out));
}
