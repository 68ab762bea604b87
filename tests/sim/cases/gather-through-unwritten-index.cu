// id:       gather-through-unwritten-index
// chapter:  memory-hierarchy
// did:      built an index table for the even elements only and gathered through all of it
// cause:    half of the indices were never written
// kind:     uninitialised-read
// point-at: line 22

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void indices(int* index) {
#ifdef FIXED
    index[threadIdx.x] = threadIdx.x;
#else
    if (threadIdx.x % 2 == 0) index[threadIdx.x] = threadIdx.x;
#endif
}
__global__ void gather(const int* index, const int* v, int* out) {
    out[threadIdx.x] = v[index[threadIdx.x] & 31];   // <-- BUG
}
int main() {
    int h[32] = {}, *index, *v, *out;
    CK(cudaMalloc(&index, sizeof(h))); CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    indices<<<1, 32>>>(index); CK(cudaGetLastError());
    gather<<<1, 32>>>(index, v, out); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 0)\n", h[1]);
    CK(cudaFree(index)); CK(cudaFree(v)); CK(cudaFree(out));
}
