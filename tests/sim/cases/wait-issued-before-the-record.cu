// id:       wait-issued-before-the-record
// chapter:  streams
// source:   GitHub sgl-project/sglang pull request 14214: the record happens later than the wait
// did:      let the consumer's stream wait for the event before the host had recorded it
// saw:      the consumer does not wait
// cause:    a wait is for the last record made before the call; there was none
// kind:     stream-race (also accept: api-misuse)
// point-at: line 42 (also accept: 18, 22, 40, 41)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void produce(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i;                            // <-- also accepted
}
__global__ void consume(const int* v, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = v[i];                       // <-- also accepted
}
int main() {
    const int n = 2048;
    int *v, *out;
    cudaStream_t a, b;
    cudaEvent_t e;
    CK(cudaMalloc(&v, n * sizeof(int))); CK(cudaMalloc(&out, n * sizeof(int)));
    CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b));
    CK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    CK(cudaMemset(v, 0, n * sizeof(int)));
    CK(cudaDeviceSynchronize());
#ifdef FIXED
    produce<<<8, 256, 0, a>>>(v, n);
    CK(cudaEventRecord(e, a));
    CK(cudaStreamWaitEvent(b, e, 0));
    consume<<<8, 256, 0, b>>>(v, out, n);
#else
    CK(cudaStreamWaitEvent(b, e, 0));               // <-- also accepted
    consume<<<8, 256, 0, b>>>(v, out, n);           // <-- also accepted
    produce<<<8, 256, 0, a>>>(v, n);                // <-- BUG
    CK(cudaEventRecord(e, a));
#endif
    CK(cudaDeviceSynchronize());
    CK(cudaEventDestroy(e)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
    CK(cudaFree(v)); CK(cudaFree(out));
}
