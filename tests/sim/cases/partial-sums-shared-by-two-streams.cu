// id:       partial-sums-shared-by-two-streams
// chapter:  streams
// source:   GitHub NVIDIA/cub issue 373: memory reused by several streams
// did:      reduced two arrays in two streams through one buffer of partial sums
// saw:      each sum is now and then made of the other array's partials
// cause:    every stream that may run at the same time needs temporary storage of its own
// kind:     stream-race
// point-at: line 31 (also accept: 32)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void partials(const int* v, int n, int* part) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum, v[i]);
    __syncthreads();
    if (threadIdx.x == 0) part[blockIdx.x] = sum;
}
__global__ void finish(const int* part, int blocks, int* out) {
    int sum = 0;
    for (int b = 0; b < blocks; ++b) sum += part[b];
    *out = sum;
}
void reduce(const int* v, int n, int* part, int* out, cudaStream_t s) {
    partials<<<8, 128, 0, s>>>(v, n, part);         // <-- BUG
    finish<<<1, 1, 0, s>>>(part, 8, out);           // <-- also accepted
}
int main() {
    const int n = 1024;
    int *v, *part, *out;
    CK(cudaMalloc(&v, 2 * n * sizeof(int))); CK(cudaMalloc(&part, 2 * 8 * sizeof(int)));
    CK(cudaMalloc(&out, 2 * sizeof(int))); CK(cudaMemset(v, 0, 2 * n * sizeof(int)));
    cudaStream_t s[2];
    for (int k = 0; k < 2; ++k) CK(cudaStreamCreate(&s[k]));
    CK(cudaDeviceSynchronize());
#ifdef FIXED
    const int apart = 8;
#else
    const int apart = 0;
#endif
    for (int k = 0; k < 2; ++k) reduce(v + k * n, n, part + k * apart, out + k, s[k]);
    CK(cudaDeviceSynchronize());
    for (int k = 0; k < 2; ++k) CK(cudaStreamDestroy(s[k]));
    CK(cudaFree(v)); CK(cudaFree(part)); CK(cudaFree(out));
}
