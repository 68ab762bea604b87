// id:       float-max-through-int-atomics
// chapter:  warps-divergence
// source:   GitHub NVIDIA/libcudacxx issue #279; lattice/quda pull request #844
// did:      built atomicMax for float out of atomicMax on the unsigned bit pattern
// saw:      right for positive data, stuck at the start value when signs differ
// cause:    negative floats compare as huge unsigned numbers: use a CAS loop or an order-preserving
//           key
// kind:     wrong-result
// point-at: line 26
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void maxOf(const float* v, float* m, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
#ifdef FIXED
    int* p = (int*)m, old = atomicAdd(p, 0), seen;
    do { seen = old; if (__int_as_float(seen) >= v[i]) break;
         old = atomicCAS(p, seen, __float_as_int(v[i])); } while (old != seen);
#else
    atomicMax((unsigned*)m, __float_as_uint(v[i]));   // <-- BUG
#endif
}
int main() {
    float h[64], start = -1.0f, *v, *m, r = 0;
    for (int i = 0; i < 64; i++) h[i] = i;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&m, sizeof(float)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemcpy(m, &start, sizeof(float), cudaMemcpyHostToDevice));
    maxOf<<<1, 64>>>(v, m, 64);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&r, m, sizeof(float), cudaMemcpyDeviceToHost));
    printf("saw: %g (want 63)\n", r);
    CK(cudaFree(v)); CK(cudaFree(m));
}
