// id:       peers-enabled-twice
// chapter:  debugging
// source:   GitHub torch/cutorch pull request #114, ggml-org/llama.cpp pull request #10153 (the
//           error of a second cudaDeviceEnablePeerAccess stays)
// did:      enabled peers in two places without looking at the code, and asked cudaGetLastError
//           after a kernel
// saw:      "peer access is already enabled" after an innocent kernel
// cause:    the second call fails harmlessly, but its error stays until somebody asks for it
// kind:     api-misuse
// point-at: line 28
// devices:  small,small
// shows:    old-error

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v) { v[threadIdx.x] = threadIdx.x; }
static void enable_peers() {
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
#ifdef FIXED
        cudaError_t e = cudaDeviceEnablePeerAccess(1 - d, 0);
        if (e == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
        else CK(e);
#else
        cudaDeviceEnablePeerAccess(1 - d, 0);
#endif
    }
}
int main() {
    int *v, h[64];
    enable_peers();                                  // the program
    enable_peers();                                  // a library that it uses
    CK(cudaMalloc(&v, sizeof(h)));
    fill<<<1, 64>>>(v);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, v, sizeof(h), cudaMemcpyDeviceToHost));
    printf("%d\n", h[63]);
    CK(cudaFree(v));
}
