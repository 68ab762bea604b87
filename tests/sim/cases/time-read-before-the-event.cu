// id:       time-read-before-the-event
// chapter:  streams
// did:      read the time between two events before the second had passed
// cause:    the host must wait for the event first
// kind:     api-misuse
// point-at: line 24

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void work(int* a) { for (int k = 0; k < 100; k++) a[threadIdx.x] += k; }
int main() {
    int* a; cudaEvent_t b, e; float ms = 0;
    CK(cudaMalloc(&a, 128)); CK(cudaMemset(a, 0, 128));
    CK(cudaEventCreate(&b)); CK(cudaEventCreate(&e));
    CK(cudaEventRecord(b));
    work<<<1, 32>>>(a);
    CK(cudaEventRecord(e));
#ifdef FIXED
    CK(cudaEventSynchronize(e));
#endif
    cudaEventElapsedTime(&ms, b, e);                // <-- BUG
    printf("%d\n", ms > 0);
    CK(cudaDeviceSynchronize());
    CK(cudaEventDestroy(b)); CK(cudaEventDestroy(e)); CK(cudaFree(a));
}
