// id:       pool-memory-of-the-other-device
// chapter:  memory-hierarchy
// source:   GitHub tensorflow/tensorflow pull request #47480 (cudaMallocAsync with several GPUs
//           needs cudaMemPoolSetAccess)
// did:      enabled peers, and read what the other device had from cudaMallocAsync
// saw:      an illegal memory access, although cudaDeviceEnablePeerAccess succeeded
// cause:    a pool is opened to another device with cudaMemPoolSetAccess; enabling peers does not
//           do it
// kind:     out-of-bounds
// point-at: line 20
// devices:  small,small
// shows:    wrong-device-by-name

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v) { v[threadIdx.x] = threadIdx.x; }
__global__ void sum(const int* v, int* total) { atomicAdd(total, v[threadIdx.x]);
}
int main() {
    int *v, *total, h = 0;
    cudaStream_t s;
    CK(cudaSetDevice(0));
#ifdef FIXED
    cudaMemPool_t pool;
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 1;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    CK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CK(cudaMemPoolSetAccess(pool, &access, 1));
#endif
    CK(cudaStreamCreate(&s));
    CK(cudaMallocAsync(&v, 64 * sizeof(int), s));
    fill<<<1, 64, 0, s>>>(v);
    CK(cudaStreamSynchronize(s));
    CK(cudaSetDevice(1));
    CK(cudaDeviceEnablePeerAccess(0, 0));
    CK(cudaMalloc(&total, sizeof(int)));
    CK(cudaMemset(total, 0, sizeof(int)));
    sum<<<1, 64>>>(v, total);
    CK(cudaMemcpy(&h, total, sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d\n", h);
    CK(cudaFree(total));
    CK(cudaFreeAsync(v, s));
    CK(cudaStreamSynchronize(s));
}
