// id:       directions-exchanged
// chapter:  programming-model
// did:      copied the result with the direction of the upload
// cause:    the kind says host to device, the pointers say otherwise
// kind:     api-misuse
// point-at: line 22

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = 1; }
int main() {
    int h[32] = {}, *p;
    CK(cudaMalloc(&p, sizeof(h)));
    fill<<<1, 32>>>(p); CK(cudaGetLastError());
#ifdef FIXED
    CK(cudaMemcpy(h, p, sizeof(h), cudaMemcpyDeviceToHost));
#else
    CK(cudaMemcpy(h, p, sizeof(h), cudaMemcpyHostToDevice));   // <-- BUG
#endif
    printf("saw: %d (want 1)\n", h[0]);
    CK(cudaFree(p));
}
