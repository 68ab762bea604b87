// id:       pointer-kept-over-a-resize
// chapter:  programming-model
// did:      kept the raw pointer of a vector that grew afterwards
// cause:    growing allocates anew and frees the old memory
// kind:     use-after-free
// point-at: line 23

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Vec {
    int* p = nullptr; size_t n = 0;
    void resize(size_t m) {
        int* q; CK(cudaMalloc(&q, m * sizeof(int)));
        CK(cudaMemset(q, 0, m * sizeof(int)));
        if (p) { CK(cudaMemcpy(q, p, n * sizeof(int), cudaMemcpyDeviceToDevice)); CK(cudaFree(p)); }
        p = q; n = m;
    }
};
__global__ void inc(int* a) {
    a[threadIdx.x]++;                               // <-- BUG
}
int main() {
    Vec v; v.resize(32);
    int* view = v.p;
    v.resize(64);
#ifdef FIXED
    view = v.p;
#endif
    inc<<<1, 32>>>(view);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(v.p));
}
