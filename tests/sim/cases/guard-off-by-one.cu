// id:       guard-off-by-one
// chapter:  programming-model
// source:   GitHub apt-sim/AdePT pull request #37 (review thread)
// did:      guarded the kernel with `if (i > n) return;`
// saw:      results look right, one element past the end is touched now and then
// cause:    the guard must be `i >= n`: the thread with i == n passes it
// kind:     out-of-bounds
// point-at: line 24 (also accept: 22)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void square(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    if (i >= n) return;
#else
    if (i > n) return;                              // <-- also accepted
#endif
    a[i] = a[i] * a[i];                             // <-- BUG
}
int main() {
    const int n = 100;
    int h[n], *d;
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&d, n * sizeof(int)));
    CK(cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice));
    square<<<2, 64>>>(d, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: h[99] = %d (want 9801)\n", h[n - 1]);
    CK(cudaFree(d));
}
