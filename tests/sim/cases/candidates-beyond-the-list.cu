// id:       candidates-beyond-the-list
// chapter:  programming-model
// did:      appended to a list by atomicAdd without asking whether there is room
// cause:    more elements qualify than the list holds
// kind:     out-of-bounds
// point-at: line 20

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void pick(const int* x, int n, int* list, int* count, int cap) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 2) {
        int k = atomicAdd(count, 1);
#ifdef FIXED
        if (k < cap)
#endif
        list[k] = i;                                // <-- BUG
    }
}
int main() {
    const int n = 512, cap = 200;
    int h[n], *x, *l, *c;
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&l, cap * sizeof(int))); CK(cudaMalloc(&c, sizeof(int)));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice)); CK(cudaMemset(c, 0, sizeof(int)));
    pick<<<4, 128>>>(x, n, l, c, cap);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(x)); CK(cudaFree(l)); CK(cudaFree(c));
}
