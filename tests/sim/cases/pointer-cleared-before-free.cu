// id:       pointer-cleared-before-free
// chapter:  debugging
// source:   GitHub hornet-gt/hornetsnest issue #14
// did:      set the pointer to null and then freed it
// saw:      device memory fills up; cudaFree never complains
// cause:    cudaFree(nullptr) does nothing: the allocation leaks
// kind:     leak (also accept: api-misuse)
// point-at: line 23 (also accept: 24, 31)
// shows:    leak check

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* p, int v) { p[threadIdx.x] = v; }
static void release(int*& p) {
#ifdef FIXED
    CK(cudaFree(p));
    p = nullptr;
#else
    p = nullptr;                                    // <-- BUG
    CK(cudaFree(p));                                // <-- also accepted
#endif
}
int main() {
    int h = 0;
    for (int it = 0; it < 4; it++) {
        int* p;
        CK(cudaMalloc(&p, 1024 * sizeof(int)));     // <-- also accepted
        fill<<<1, 32>>>(p, it);
        CK(cudaGetLastError());
        CK(cudaMemcpy(&h, p, sizeof(int), cudaMemcpyDeviceToHost));
        release(p);
    }
    printf("saw: %d (want 3, and nothing left allocated)\n", h);
}
