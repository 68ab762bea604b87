// id:       other-kernels-shared-size
// chapter:  shared-memory
// source:   GitHub NVIDIA/cuopt pull request #156
// did:      reused the shared memory size of the previous kernel for one that needs none
// saw:      works until the first kernel's size passes the default limit, then the second launch
//           fails
// cause:    only the first kernel was opted in to a large size; the second should get 0
// kind:     launch-error
// point-at: line 30
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void big(int* o) { extern __shared__ int s[]; s[threadIdx.x] = 1; __syncthreads(); o[threadIdx.x] = s[threadIdx.x]; }
__global__ void small(int* o) { o[threadIdx.x] += 1; }
int main() {
    const int sh = 60 * 1024;
    int h[32] = {}, *d;
    CK(cudaMalloc(&d, sizeof(h)));
    CK(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, sh));
    big<<<1, 32, sh>>>(d);
    CK(cudaGetLastError());
#ifdef FIXED
    small<<<1, 32>>>(d);
#else
    small<<<1, 32, sh>>>(d);                        // <-- BUG
#endif
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 2)\n", h[0]);
    CK(cudaFree(d));
}
