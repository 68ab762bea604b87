// id:       empty-input-zero-blocks
// chapter:  programming-model
// source:   GitHub NVIDIA/cuCollections issue #75
// did:      launched one kernel per batch and one batch was empty
// saw:      invalid configuration on an input that needs no work at all
// cause:    n == 0 gives a grid of 0 blocks, which is not a legal launch: skip it
// kind:     launch-error
// point-at: line 33
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sumBatch(const int* v, int n, int* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, v[i]);
}
int main() {
    const int sizes[3] = {300, 0, 200};
    int ones[500], *v, *total, sum = 0, off = 0;
    for (int& x : ones) x = 1;
    CK(cudaMalloc(&v, sizeof(ones)));
    CK(cudaMalloc(&total, sizeof(int)));
    CK(cudaMemset(total, 0, sizeof(int)));
    CK(cudaMemcpy(v, ones, sizeof(ones), cudaMemcpyHostToDevice));
    for (int n : sizes) {
#ifdef FIXED
        if (n == 0) continue;
#endif
        sumBatch<<<(n + 127) / 128, 128>>>(v + off, n, total);   // <-- BUG
        CK(cudaGetLastError());
        off += n;
    }
    CK(cudaMemcpy(&sum, total, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 500)\n", sum);
    CK(cudaFree(v)); CK(cudaFree(total));
}
