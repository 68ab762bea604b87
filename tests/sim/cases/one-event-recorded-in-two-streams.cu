// id:       one-event-recorded-in-two-streams
// chapter:  streams
// source:   GitHub cutorch pull request 222: one event for all streams of a barrier
// did:      recorded the same event in two producer streams and waited for it once
// saw:      the first producer's half is sometimes old
// cause:    a record replaces the one before; the wait is for the last record only
// kind:     stream-race
// point-at: line 44
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void produce(int* v, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = k * i;
}
__global__ void combine(const int* v, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = v[i] - v[n + i];
}
int main() {
    const int n = 2048;
    int *v, *out;
    CK(cudaMalloc(&v, 2 * n * sizeof(int))); CK(cudaMalloc(&out, n * sizeof(int)));
    cudaStream_t p[2], c;
    cudaEvent_t e[2];
    CK(cudaStreamCreate(&c));
    for (int k = 0; k < 2; ++k) {
        CK(cudaStreamCreate(&p[k])); CK(cudaEventCreateWithFlags(&e[k], cudaEventDisableTiming));
    }
#ifdef FIXED
    const int other = 1;
#else
    const int other = 0;
#endif
    for (int k = 0; k < 2; ++k) {
        produce<<<8, 256, 0, p[k]>>>(v + k * n, n, k + 1);
        CK(cudaEventRecord(e[k * other], p[k]));
    }
    CK(cudaStreamWaitEvent(c, e[0], 0)); CK(cudaStreamWaitEvent(c, e[other], 0));
    combine<<<8, 256, 0, c>>>(v, out, n);           // <-- BUG
    CK(cudaDeviceSynchronize());
    for (int k = 0; k < 2; ++k) { CK(cudaStreamDestroy(p[k])); CK(cudaEventDestroy(e[k])); }
    CK(cudaStreamDestroy(c)); CK(cudaFree(v)); CK(cudaFree(out));
}
