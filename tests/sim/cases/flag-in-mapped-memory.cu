// id:       flag-in-mapped-memory
// chapter:  streams
// source:   written for this collection
// did:      read a result from mapped memory while its kernel may still run, once a flag was set
// saw:      no synchronising call before the read
// cause:    the kernel fences before it sets the flag, and the host waits for the flag
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void report(int* result, volatile int* flag) {
    *result = 42;
    __threadfence_system();
    *flag = 1;
}
int main() {
    int *result, *flag;
    CK(cudaHostAlloc(&result, sizeof(int), cudaHostAllocMapped));
    CK(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
    *result = 0;
    *flag = 0;
    report<<<1, 1>>>(result, flag);
    while (*(volatile int*)flag == 0) {}
    printf("%d\n", *(volatile int*)result);
    CK(cudaDeviceSynchronize());
    CK(cudaFreeHost(result)); CK(cudaFreeHost(flag));
}
