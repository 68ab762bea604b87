// id:       kernel-left-in-default-stream
// chapter:  streams
// source:   GitHub torch/cutorch issue #216
// did:      put the copies into streams and forgot the stream argument of the kernel
// saw:      no overlap although pinned memory and two streams are used
// cause:    a kernel in the legacy default stream waits for all streams and makes them wait
// kind:     perf-no-overlap
// point-at: line 35
// shows:    timeline

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void work(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { unsigned x = a[i]; for (int k = 0; k < 64; k++) x = x * 3 + k; a[i] = x & 0xffff; }
}
int main() {
    const int parts = 4, n = 1 << 14;
    int *h, *d;
    cudaStream_t s[2];
    for (cudaStream_t& x : s) CK(cudaStreamCreate(&x));
    CK(cudaMallocHost(&h, parts * n * sizeof(int)));
    CK(cudaMalloc(&d, parts * n * sizeof(int)));
    for (int i = 0; i < parts * n; i++) h[i] = 1;
    for (int p = 0; p < parts; p++) {
        cudaStream_t q = s[p % 2]; int o = p * n;
        CK(cudaMemcpyAsync(d + o, h + o, n * sizeof(int), cudaMemcpyHostToDevice, q));
#ifdef FIXED
        work<<<n / 256, 256, 0, q>>>(d + o, n);
#else
        work<<<n / 256, 256>>>(d + o, n);           // <-- BUG
#endif
        CK(cudaGetLastError());
        CK(cudaMemcpyAsync(h + o, d + o, n * sizeof(int), cudaMemcpyDeviceToHost, q));
    }
    CK(cudaDeviceSynchronize());
    printf("saw: %s\n", h[0] == h[parts * n - 1] ? "right results" : "wrong results");
    CK(cudaFreeHost(h)); CK(cudaFree(d));
    for (cudaStream_t x : s) CK(cudaStreamDestroy(x));
}
