// id:       halves-of-managed-memory
// chapter:  streams
// source:   CUDA C++ Programming Guide, Unified Memory: every device reaches managed memory
// did:      let two devices fill their halves of one managed array at the same time, and waited
//           for both
// saw:      nothing: it is right
// cause:    managed memory is everybody's, and the halves do not meet
// kind:     none
// devices:  small,small
// shows:    near-miss

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__managed__ int total;
__global__ void fill(int* v, int value) {
    v[threadIdx.x] = value;
    atomicAdd_system(&total, 1);
}
int main() {
    int* v;
    CK(cudaMallocManaged(&v, 128 * sizeof(int)));
    total = 0;
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        fill<<<1, 64>>>(v + 64 * d, d + 1);
    }
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaDeviceSynchronize());
    }
    printf("%d %d %d\n", v[63], v[64], total);
    CK(cudaFree(v));
}
