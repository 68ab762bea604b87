// id:       buffer-made-on-the-other-device
// chapter:  debugging
// source:   GitHub iowarp/clio-core issue #735 (grids allocated while another GPU was current)
// did:      allocated the buffer while device 1 was current and launched the kernel on device 0
// saw:      an illegal memory access on machines with two GPUs, nothing on those with one
// cause:    the buffer is memory of device 1, which device 0 may not touch
// kind:     out-of-bounds
// point-at: line 19
// devices:  small,small
// shows:    wrong-device-by-name

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void scale(float* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= 2.0f;
}
int main() {
    const int n = 1000;
    float *h = (float*)malloc(n * sizeof(float)), *d;
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaSetDevice(1));                            // some library left it so
#ifdef FIXED
    CK(cudaSetDevice(0));
#endif
    CK(cudaMalloc(&d, n * sizeof(float)));
    CK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
    CK(cudaSetDevice(0));
    scale<<<(n + 255) / 256, 256>>>(d, n);
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%s\n", h[999] == 1998.0f ? "right" : "wrong");
    CK(cudaFree(d));
    free(h);
}
