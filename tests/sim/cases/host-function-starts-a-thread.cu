// id:       host-function-starts-a-thread
// chapter:  streams
// source:   NVIDIA's sample simpleCallback, in short
// did:      read the result of a copy in a thread that a host function of the stream started
// cause:    the host function runs after the copy, and the thread after the host function
// kind:     none
// shows:    happens-before

#include <atomic>
#include <cstdio>
#include <thread>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* a, int v) { a[threadIdx.x] = v; }

struct Work { int* result; std::atomic<int> seen{-1}; };
void CUDART_CB finished(void* data) {
    std::thread([w = static_cast<Work*>(data)] { w->seen = w->result[5]; }).detach();
}

int main() {
    const int n = 64;
    int* d; Work w; cudaStream_t s;
    CK(cudaStreamCreate(&s)); CK(cudaMalloc(&d, n * sizeof(int)));
    CK(cudaMallocHost(&w.result, n * sizeof(int)));
    fill<<<1, n, 0, s>>>(d, 9);
    CK(cudaMemcpyAsync(w.result, d, n * sizeof(int), cudaMemcpyDeviceToHost, s));
    CK(cudaLaunchHostFunc(s, finished, &w));
    while (w.seen < 0) std::this_thread::yield();
    printf("saw: %d (want 9)\n", w.seen.load());
    CK(cudaStreamSynchronize(s)); CK(cudaStreamDestroy(s));
    CK(cudaFreeHost(w.result)); CK(cudaFree(d));
}
