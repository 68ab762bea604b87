// id:       other-managed-array-beside-a-kernel
// chapter:  streams
// source:   written for this collection
// did:      filled one managed array on the host while a kernel works on another
// saw:      it crashes on old devices
// cause:    with concurrentManagedAccess host and device may use managed memory at the same
//           time, as long as they use different data
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void twice(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= 2;
}
int main() {
    const int n = 1000;
    int *a, *b;
    CK(cudaMallocManaged(&a, n * sizeof(int))); CK(cudaMallocManaged(&b, n * sizeof(int)));
    for (int i = 0; i < n; ++i) a[i] = i;
    twice<<<4, 256>>>(a, n);
    for (int i = 0; i < n; ++i) b[i] = -i;
    twice<<<4, 256>>>(b, n);
    CK(cudaDeviceSynchronize());
    printf("%d\n", a[5] + b[5]);
    CK(cudaFree(a)); CK(cudaFree(b));
}
