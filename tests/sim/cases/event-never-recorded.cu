// id:       event-never-recorded
// chapter:  streams
// did:      read the time between two events, of which one was never recorded
// cause:    an event has a time when a stream has passed it
// kind:     api-misuse
// point-at: line 24

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void nop() {}
int main() {
    cudaEvent_t a, b; float ms = 0;
    CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b));
    CK(cudaEventRecord(a));
    nop<<<1, 1>>>();
#ifdef FIXED
    CK(cudaEventRecord(b));
#endif
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaEventElapsedTime(&ms, a, b));            // <-- BUG
    CK(cudaEventDestroy(a)); CK(cudaEventDestroy(b));
}
