// id:       host-reads-device-pointer
// chapter:  programming-model
// source:   GitHub ComputationalRadiationPhysics/picongpu pull request #4029
// did:      dereferenced a cudaMalloc'd pointer in host code
// saw:      segmentation fault in main
// cause:    device memory is not addressable from the host: copy it back with cudaMemcpy
// kind:     api-misuse (also accept: out-of-bounds)
// point-at: line 28
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void answer(int* out) { *out = 42; }
int main() {
    int* d; int h = 0;
    CK(cudaMalloc(&d, sizeof(int)));
    answer<<<1, 1>>>(d);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    printf("reading the result ...\n"); fflush(stdout);
#ifdef FIXED
    CK(cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost));
#else
    h = *d;                                         // <-- BUG
#endif
    printf("saw: %d (want 42)\n", h);
    CK(cudaFree(d));
}
