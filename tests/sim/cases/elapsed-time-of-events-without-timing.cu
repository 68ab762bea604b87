// id:       elapsed-time-of-events-without-timing
// chapter:  streams
// source:   GitHub NVIDIA/cuda-python issue 556: the error of event timing misleads
// did:      measured with events that were made with cudaEventDisableTiming, and ignored the
//           code
// saw:      always 0 ms
// cause:    such events record no time; cudaEventElapsedTime fails with
//           cudaErrorInvalidResourceHandle
// kind:     api-misuse
// point-at: line 38
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#ifdef FIXED
const unsigned flags = cudaEventDefault;
#else
const unsigned flags = cudaEventDisableTiming;
#endif
__global__ void work(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i;
}
int main() {
    const int n = 10000;
    int* v;
    float ms = 0;
    cudaEvent_t begin, end;
    CK(cudaMalloc(&v, n * sizeof(int)));
    CK(cudaEventCreateWithFlags(&begin, flags)); CK(cudaEventCreateWithFlags(&end, flags));
    CK(cudaEventRecord(begin));
    work<<<40, 256>>>(v, n);
    CK(cudaEventRecord(end));
    CK(cudaEventSynchronize(end));
    cudaEventElapsedTime(&ms, begin, end);          // <-- BUG
    printf("%s\n", ms >= 0 ? "timed" : "?");
    CK(cudaEventDestroy(begin)); CK(cudaEventDestroy(end)); CK(cudaFree(v));
}
