// id:       address-of-the-pointer
// chapter:  programming-model
// did:      copied to &d, the address of the pointer
// cause:    the destination must be the address that the pointer holds
// kind:     api-misuse (also accept: out-of-bounds)
// point-at: line 20

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void use(const int* a, int* o) { o[threadIdx.x] = a ? a[threadIdx.x] : 0; }
int main() {
    int h[2] = {1, 2}, *d, *o;
    CK(cudaMalloc(&d, sizeof h)); CK(cudaMalloc(&o, sizeof h));
#ifdef FIXED
    CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
#else
    CK(cudaMemcpy(&d, h, sizeof h, cudaMemcpyHostToDevice));   // <-- BUG
#endif
    use<<<1, 2>>>(d, o);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(o));
#ifdef FIXED
    CK(cudaFree(d));
#endif
}
