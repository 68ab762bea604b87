// id:       virtual-call-through-the-hosts-table
// chapter:  programming-model
// did:      copied objects with virtual functions to the device
// cause:    such an object holds the address of a table in the memory of the host
// kind:     out-of-bounds (also accept: api-misuse)
// point-at: line 16

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Shape { __host__ __device__ virtual float area() const { return 0; } float w = 2; };
struct Square : Shape { __host__ __device__ float area() const override { return w * w; } };
__global__ void areas(Shape** s, float* out) {
    out[threadIdx.x] = s[threadIdx.x]->area();      // <-- BUG
}
__global__ void make(Shape** s, Square* mem) { s[threadIdx.x] = new (&mem[threadIdx.x]) Square; }
int main() {
    Square *mem; Shape** s; float* out;
    CK(cudaMalloc(&mem, 4 * sizeof(Square))); CK(cudaMalloc(&s, 4 * sizeof(Shape*))); CK(cudaMalloc(&out, 16));
#ifdef FIXED
    make<<<1, 4>>>(s, mem);
    CK(cudaGetLastError());
#else
    Square h[4]; Shape* p[4];
    for (int i = 0; i < 4; i++) p[i] = &mem[i];
    CK(cudaMemcpy(mem, h, sizeof h, cudaMemcpyHostToDevice));
    CK(cudaMemcpy(s, p, sizeof p, cudaMemcpyHostToDevice));
#endif
    areas<<<1, 4>>>(s, out);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(mem)); CK(cudaFree(s)); CK(cudaFree(out));
}
