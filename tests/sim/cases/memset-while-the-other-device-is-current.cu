// id:       memset-while-the-other-device-is-current
// chapter:  debugging
// source:   GitHub brucefan1983/GPUMD issue #46 (cudaMemset: invalid argument, on machines with
//           several GPUs)
// did:      cleared a counter on device 1 while device 0 was current, and ignored the code
// saw:      invalid argument from cudaMemset; counts that grow from run to run
// cause:    a fill runs in a stream of the current device, which may not touch the other's memory
// kind:     api-misuse
// point-at: line 37
// devices:  small,small
// shows:    wrong-device-by-name

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void count(const int* v, int n, int* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] % 2 == 0) atomicAdd(total, 1);
}
int main() {
    const int n = 1000;
    int h[n], *v, *total, even = 0;
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaSetDevice(1));
    CK(cudaMalloc(&v, sizeof(h)));
    CK(cudaMalloc(&total, sizeof(int)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemcpy(total, &even, sizeof(int), cudaMemcpyHostToDevice));
    for (int round = 0; round < 2; round++) {
#ifdef FIXED
        CK(cudaSetDevice(1));
#else
        CK(cudaSetDevice(0));
#endif
        cudaMemset(total, 0, sizeof(int));
        CK(cudaSetDevice(1));
        count<<<4, 256>>>(v, n, total);
    }
    CK(cudaMemcpy(&even, total, sizeof(int), cudaMemcpyDeviceToHost));
    cudaGetLastError();
    printf("%d even\n", even);
    CK(cudaFree(v));
    CK(cudaFree(total));
}
