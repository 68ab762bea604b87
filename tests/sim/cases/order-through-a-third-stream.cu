// id:       order-through-a-third-stream
// chapter:  streams
// source:   written for this collection
// did:      ordered stream c after stream a through b only, and let the host wait for c only
// saw:      it looks as if an event were missing
// cause:    what b waits for happened before all that waits for b
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void add(int* v, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += k;
}
int main() {
    const int n = 1000;
    int *h, *v;
    cudaStream_t a, b, c;
    cudaEvent_t e;
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&v, n * sizeof(int)));
    CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CK(cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking));
    CK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    CK(cudaMemsetAsync(v, 0, n * sizeof(int), a));
    CK(cudaMemcpyAsync(h, v, n * sizeof(int), cudaMemcpyDeviceToHost, a));
    CK(cudaEventRecord(e, a));
    CK(cudaStreamWaitEvent(b, e, 0));
    CK(cudaEventRecord(e, b));  // the same event again: the wait above was for the first record
    CK(cudaStreamWaitEvent(c, e, 0));
    add<<<4, 256, 0, c>>>(v, n, 1);
    CK(cudaStreamSynchronize(c));
    printf("%d\n", h[5]);
    CK(cudaEventDestroy(e));
    CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b)); CK(cudaStreamDestroy(c));
    CK(cudaFree(v)); CK(cudaFreeHost(h));
}
