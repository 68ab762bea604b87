// id:       roles-meet-at-one-named-barrier-from-two-places
// chapter:  debugging
// source:   GitHub mlc-ai/TIRx-kernels pull request #21 (its second half)
// did:      came to a named barrier from two places
// right:    barrier.sync need not be the same instruction for all, and the count is right
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void roles(int* out) {
    __shared__ int s[96];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = 1;
        asm volatile("barrier.sync 3, 96;" ::: "memory");
        out[threadIdx.x] = s[95 - threadIdx.x];
    } else {
        s[threadIdx.x] = 2;
        asm volatile("barrier.sync 3, 96;" ::: "memory");
        out[threadIdx.x] = s[95 - threadIdx.x];
    }
}
int main() {
    int h[96], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    roles<<<1, 96>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(out));
}
