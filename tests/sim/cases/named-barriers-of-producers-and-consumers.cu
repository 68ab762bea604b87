// id:       named-barriers-of-producers-and-consumers
// chapter:  shared-memory
// did:      let half of the block fill a buffer and the other half empty it, with two named
//           barriers
// why right:each barrier says itself how many threads it counts, so nobody else has to come
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ void arrive(int id) { asm volatile("bar.arrive %0, 64;" ::"r"(id) : "memory"); }
__device__ void wait(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__global__ void pipe(const int* v, int* out, int rounds) {
    __shared__ int s[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; r++) { if (r) wait(2); s[lane] = v[r * 32 + lane]; arrive(1); }
    } else {
        for (int r = 0; r < rounds; r++) { wait(1); out[r * 32 + lane] = s[31 - lane]; if (r + 1 < rounds) arrive(2); }
    }
}
int main() {
    int h[128], *v, *out;
    for (int i = 0; i < 128; i++) h[i] = i;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    pipe<<<1, 64>>>(v, out, 4); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 127)\n", h[96]);
    CK(cudaFree(v)); CK(cudaFree(out));
}
