// id:       elapsed-time-of-an-event-still-to-come
// chapter:  streams
// source:   GitHub cupy issue 5678, pytorch issue 85796: cudaErrorNotReady from
//           cudaEventElapsedTime
// did:      asked for the time between two events right after the second record, and ignored the
//           code
// saw:      0 ms, or whatever the variable held
// cause:    both events must have happened: cudaEventSynchronize the second first
// kind:     api-misuse
// point-at: line 35
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

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
    CK(cudaEventCreate(&begin)); CK(cudaEventCreate(&end));
    CK(cudaEventRecord(begin));
    work<<<40, 256>>>(v, n);
    CK(cudaEventRecord(end));
#ifdef FIXED
    CK(cudaEventSynchronize(end));
#endif
    cudaEventElapsedTime(&ms, begin, end);          // <-- BUG
    printf("%s\n", ms >= 0 ? "timed" : "?");
    CK(cudaDeviceSynchronize());
    CK(cudaEventDestroy(begin)); CK(cudaEventDestroy(end)); CK(cudaFree(v));
}
