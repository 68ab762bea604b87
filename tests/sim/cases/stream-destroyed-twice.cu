// id:       stream-destroyed-twice
// chapter:  streams
// did:      destroyed a stream that another owner had destroyed
// cause:    the handle means nothing any more
// kind:     api-misuse
// point-at: line 18

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

int main() {
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    CK(cudaStreamDestroy(s));
#ifndef FIXED
    CK(cudaStreamDestroy(s));                       // <-- BUG
#endif
}
