// id:       join-through-two-events
// chapter:  streams
// source:   own
// did:      let a third stream use what two others made, by events alone
// cause:    each event is waited for, and order passes from stream to stream
// kind:     none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* a, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = v + i;
}
__global__ void add(int* a, const int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += b[i];
}
int main() {
    const int n = 1024;
    int *x, *y; cudaStream_t s[3]; cudaEvent_t e[2];
    for (cudaStream_t& q : s) CK(cudaStreamCreateWithFlags(&q, cudaStreamNonBlocking));
    for (cudaEvent_t& q : e) CK(cudaEventCreateWithFlags(&q, cudaEventDisableTiming));
    CK(cudaMalloc(&x, n * sizeof(int))); CK(cudaMalloc(&y, n * sizeof(int)));
    fill<<<4, 256, 0, s[0]>>>(x, n, 1); CK(cudaEventRecord(e[0], s[0]));
    fill<<<4, 256, 0, s[1]>>>(y, n, 1); CK(cudaStreamWaitEvent(s[1], e[0], 0)); CK(cudaEventRecord(e[1], s[1]));
    CK(cudaStreamWaitEvent(s[2], e[1], 0));
    add<<<4, 256, 0, s[2]>>>(x, y, n);
    CK(cudaStreamSynchronize(s[2]));
    CK(cudaFree(x)); CK(cudaFree(y));
    for (cudaStream_t q : s) CK(cudaStreamDestroy(q));
    for (cudaEvent_t q : e) CK(cudaEventDestroy(q));
}
