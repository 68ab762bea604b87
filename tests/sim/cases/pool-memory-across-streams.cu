// id:       pool-memory-across-streams
// chapter:  streams
// source:   GitHub rapidsai/rmm: the rules of stream-ordered allocation
// did:      allocated in one stream, used in a second, freed in a third
// saw:      it looks like a use of memory that is not there
// cause:    an event after each step carries the order on
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i;
}
int main() {
    const int n = 1000;
    cudaStream_t s[3];
    cudaEvent_t e[2];
    for (cudaStream_t& k : s) CK(cudaStreamCreateWithFlags(&k, cudaStreamNonBlocking));
    for (cudaEvent_t& k : e) CK(cudaEventCreateWithFlags(&k, cudaEventDisableTiming));
    for (int round = 0; round < 3; ++round) {
        int* v;
        CK(cudaMallocAsync(&v, n * sizeof(int), s[0]));
        CK(cudaEventRecord(e[0], s[0]));
        CK(cudaStreamWaitEvent(s[1], e[0], 0));
        fill<<<4, 256, 0, s[1]>>>(v, n);
        CK(cudaEventRecord(e[1], s[1]));
        CK(cudaStreamWaitEvent(s[2], e[1], 0));
        CK(cudaFreeAsync(v, s[2]));
    }
    CK(cudaDeviceSynchronize());
    for (cudaStream_t k : s) CK(cudaStreamDestroy(k));
    for (cudaEvent_t k : e) CK(cudaEventDestroy(k));
}
