// id:       buffer-object-passed-by-value
// chapter:  programming-model
// did:      passed an object that owns device memory to a kernel by value
// cause:    the copy's destructor frees the memory when the launch returns
// kind:     use-after-free (also accept: api-misuse)
// point-at: line 28 (also accept: 24, 32, 34)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Buffer {
    float* p; int n;
    explicit Buffer(int count) : n(count) {
        CK(cudaMalloc(&p, n * sizeof(float)));
        CK(cudaMemset(p, 0, n * sizeof(float)));
    }
#ifdef FIXED
    Buffer(const Buffer& o) : p(o.p), n(o.n), owner(false) {}
    bool owner = true;
    ~Buffer() { if (owner) CK(cudaFree(p)); }
#else
    ~Buffer() { cudaFree(p); }                      // <-- also accepted
#endif
};
__global__ void add(Buffer b, float v) {
    if (threadIdx.x < b.n) b.p[threadIdx.x] += v;   // <-- BUG
}
int main() {
    Buffer b(64);
    add<<<1, 64>>>(b, 1);                           // <-- also accepted
    CK(cudaGetLastError());
    add<<<1, 64>>>(b, 1);                           // <-- also accepted
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
}
