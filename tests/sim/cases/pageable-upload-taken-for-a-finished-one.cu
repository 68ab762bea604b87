// id:       pageable-upload-taken-for-a-finished-one
// chapter:  streams
// source:   GitHub Rust-GPU/rust-cuda issue 15, ninfer-3090 pull request 44: the DMA may not
//           have completed
// did:      uploaded ordinary memory with cudaMemcpyAsync in one stream and launched in another
//           at once
// saw:      part of the data is old on a busy machine
// cause:    the call returns when the source is staged; its last way into the device still
//           belongs to the stream it was given
// kind:     stream-race
// point-at: line 35
// shows:    happens-before

#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void consume(const int* v, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = v[i] + 1;
}
int main() {
    const int n = 100000;
    std::vector<int> h(n, 3);
    int *v, *out;
    CK(cudaMalloc(&v, n * sizeof(int))); CK(cudaMalloc(&out, n * sizeof(int)));
    cudaStream_t up, work;
    CK(cudaStreamCreate(&up)); CK(cudaStreamCreate(&work));
    CK(cudaMemcpyAsync(v, h.data(), n * sizeof(int), cudaMemcpyHostToDevice, up));
#ifdef FIXED
    CK(cudaStreamSynchronize(up));
#endif
    consume<<<(n + 255) / 256, 256, 0, work>>>(v, out, n);  // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaStreamDestroy(up)); CK(cudaStreamDestroy(work));
    CK(cudaFree(v)); CK(cudaFree(out));
}
