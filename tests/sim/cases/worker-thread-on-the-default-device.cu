// id:       worker-thread-on-the-default-device
// chapter:  debugging
// source:   GitHub lightgbm-org/LightGBM pull request #6028 (threads allocate on device 0,
//           whatever the main thread chose)
// did:      chose device 1 in the main thread, and launched from a worker thread
// saw:      an illegal memory access when any GPU but the first is chosen
// cause:    cudaSetDevice is for the calling thread: a new thread begins with device 0
// kind:     out-of-bounds
// point-at: line 21
// devices:  small,small
// shows:    wrong-device-by-name

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i;
}
int main() {
    const int n = 300, device = 1;
    int *d, last = 0;
    CK(cudaSetDevice(device));
    CK(cudaMalloc(&d, n * sizeof(int)));
    std::thread worker([=] {
#ifdef FIXED
        CK(cudaSetDevice(device));
#endif
        fill<<<3, 128>>>(d, n);
        CK(cudaDeviceSynchronize());
    });
    worker.join();
    CK(cudaMemcpy(&last, d + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d\n", last);
    CK(cudaFree(d));
}
