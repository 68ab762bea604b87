// id:       launch-loop-without-set-device
// chapter:  debugging
// source:   GitHub Tiiiger/QPyTorch pull request #46 (cudaSetDevice was missing before the
//           launch)
// did:      allocated a part on each device, and launched all kernels without choosing the device
//           again
// saw:      an illegal memory access, or all the work on one GPU
// cause:    the loop that launches never calls cudaSetDevice, so that all kernels run on the last
//           one
// kind:     out-of-bounds
// point-at: line 22
// devices:  small,small
// shows:    wrong-device-by-name

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = value;
}
int main() {
    const int n = 512, devices = 2;
    int *part[devices], h[n], right = 0;
    for (int d = 0; d < devices; d++) {
        CK(cudaSetDevice(d));
        CK(cudaMalloc(&part[d], n * sizeof(int)));
    }
    for (int d = 0; d < devices; d++) {
#ifdef FIXED
        CK(cudaSetDevice(d));
#endif
        fill<<<n / 128, 128>>>(part[d], n, d + 1);
        CK(cudaGetLastError());
    }
    for (int d = 0; d < devices; d++) {
        CK(cudaSetDevice(d));
        CK(cudaMemcpy(h, part[d], sizeof(h), cudaMemcpyDeviceToHost));
        right += h[n - 1] == d + 1;
        CK(cudaFree(part[d]));
    }
    printf("%d of %d parts right\n", right, devices);
}
