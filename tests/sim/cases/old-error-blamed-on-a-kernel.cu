// id:       old-error-blamed-on-a-kernel
// chapter:  debugging
// source:   GitHub sonots/cumo pull request #195 (a recorded error sits there until something reads
//           it)
// did:      ignored the return code of one call and checked cudaGetLastError after the next kernel
// saw:      an error such as 'invalid device ordinal' after a kernel that is perfectly fine
// cause:    cudaGetLastError returns the error left by the earlier, unchecked call
// kind:     api-misuse
// point-at: line 24 (also accept: 28)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fine(int* a) { a[threadIdx.x] = 1; }
int main() {
    int *a, h[32] = {};
#ifdef FIXED
    CK(cudaSetDevice(0));
#else
    cudaSetDevice(99);                              // <-- BUG
#endif
    CK(cudaMalloc(&a, sizeof(h)));
    fine<<<1, 32>>>(a);
    CK(cudaGetLastError());                         // <-- also accepted
    CK(cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 1)\n", h[31]);
    CK(cudaFree(a));
}
