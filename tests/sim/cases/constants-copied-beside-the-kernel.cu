// id:       constants-copied-beside-the-kernel
// chapter:  streams
// source:   own
// did:      copied the filter to constant memory in one stream, launched the kernel in another
// saw:      right answers, as long as the copy is short
// cause:    constant memory is memory, too: the copy must be over before a kernel reads it
// kind:     stream-race
// point-at: line 31 (also accept: 27)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__constant__ int filter[4];

__global__ void spread(int* out) { out[threadIdx.x] = filter[threadIdx.x % 4]; }

int main() {
    int *out, *weights, r[32], bad = 0;
    cudaStream_t s, t;
    CK(cudaStreamCreate(&s)); CK(cudaStreamCreate(&t));
    CK(cudaMallocHost(&weights, sizeof(filter)));
    CK(cudaMalloc(&out, sizeof(r)));
    for (int i = 0; i < 4; i++) weights[i] = i + 1;
    CK(cudaMemcpyToSymbolAsync(filter, weights, sizeof(filter), 0, cudaMemcpyHostToDevice, s));
#ifdef FIXED
    CK(cudaStreamSynchronize(s));
#endif
    spread<<<1, 32, 0, t>>>(out);       // <-- BUG
    CK(cudaStreamSynchronize(s));
    CK(cudaStreamSynchronize(t));
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) bad += r[i] != i % 4 + 1;
    printf("saw: %d of 32 elements wrong (want 0)\n", bad);
    CK(cudaFree(out)); CK(cudaFreeHost(weights));
    CK(cudaStreamDestroy(s)); CK(cudaStreamDestroy(t));
}
