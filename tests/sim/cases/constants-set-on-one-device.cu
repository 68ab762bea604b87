// id:       constants-set-on-one-device
// chapter:  memory-hierarchy
// source:   NVIDIA developer forum, "constant memory not thread safe in CUDA 4.0": such variables
//           are there once for each device
// did:      copied the coefficients to the constant variable once, before the loop over the
//           devices
// saw:      the second device computes with zeros
// cause:    each device has its own copy of a __constant__ variable; the call sets that of the
//           current one
// kind:     wrong-result
// point-at: line 33
// devices:  small,small
// shows:    numbers-only

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__constant__ float factor;
__global__ void scale(float* v) { v[threadIdx.x] *= factor; }
int main() {
    float h[64], f = 3.0f, *v;
    CK(cudaMemcpyToSymbol(factor, &f, sizeof(f)));
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
#ifdef FIXED
        CK(cudaMemcpyToSymbol(factor, &f, sizeof(f)));
#endif
        for (int i = 0; i < 64; i++) h[i] = i;
        CK(cudaMalloc(&v, sizeof(h)));
        CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
        scale<<<1, 64>>>(v);
        CK(cudaMemcpy(h, v, sizeof(h), cudaMemcpyDeviceToHost));
        printf("%g\n", h[1]);
        CK(cudaFree(v));
    }
}
