// id:       wait-for-an-event-that-nobody-recorded
// chapter:  streams
// source:   GitHub pixeltrack-standalone pull request 202: the call that records the event was
//           missing
// did:      let a stream wait for an event that was created and never recorded
// saw:      a consumer reads conditions that are not uploaded yet
// cause:    a wait for an event without a record does nothing and reports nothing
// kind:     stream-race (also accept: api-misuse)
// point-at: line 36 (also accept: 35)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void consume(const int* v, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = v[i] + 1;
}
int main() {
    const int n = 4096;
    int *h, *v, *out;
    CK(cudaMallocHost(&h, n * sizeof(int)));
    for (int i = 0; i < n; ++i) h[i] = i;
    CK(cudaMalloc(&v, n * sizeof(int))); CK(cudaMalloc(&out, n * sizeof(int)));
    cudaStream_t a, b;
    cudaEvent_t e;
    CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b));
    CK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    CK(cudaMemcpyAsync(v, h, n * sizeof(int), cudaMemcpyHostToDevice, a));
#ifdef FIXED
    CK(cudaEventRecord(e, a));
#endif
    CK(cudaStreamWaitEvent(b, e, 0));               // <-- also accepted
    consume<<<16, 256, 0, b>>>(v, out, n);          // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaEventDestroy(e)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
    CK(cudaFreeHost(h)); CK(cudaFree(v)); CK(cudaFree(out));
}
