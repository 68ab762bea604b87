// id:       pinned-memory-given-to-free
// chapter:  streams
// source:   GitHub wilicc/gpu-burn pull request #17, OPM/opm-simulators pull request #2720
// did:      freed memory from cudaMallocHost with free()
// cause:    the C library does not know it
// kind:     api-misuse
// point-at: line 22

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

int main() {
    int* h;
    CK(cudaMallocHost(&h, 4096));
    h[0] = 1;
#ifdef FIXED
    CK(cudaFreeHost(h));
#else
    free(h);                                        // <-- BUG
#endif
}
