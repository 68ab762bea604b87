// id:       function-returns-what-nobody-wrote
// chapter:  memory-hierarchy
// did:      returned the best of a table from a function, also when the table is empty
// saw:      garbage for empty rows
// cause:    the variable is set only when something is found
// kind:     uninitialised-read
// point-at: line 23 (also accept: 27)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Best { int index; float value; };
__device__ __noinline__ Best find(const float* row, int n) {
    Best all[2];
#ifdef FIXED
    all[0] = all[1] = {-1, 0};
#endif
    for (int k = 0; k < n; k++) all[k & 1] = {k, row[k]};
    return all[n & 1];                              // <-- BUG
}
__global__ void best(const float* m, const int* length, float* out) {
    Best b = find(m + 8 * threadIdx.x, length[threadIdx.x]);
    out[threadIdx.x] = b.index < 0 ? 0 : b.value * 2;
}
int main() {
    float h[32 * 8], *m, *out; int n[32], *length;
    for (int i = 0; i < 32 * 8; i++) h[i] = 1;
    for (int i = 0; i < 32; i++) n[i] = 2 + i % 4;
    n[7] = 0;
    CK(cudaMalloc(&m, sizeof(h))); CK(cudaMalloc(&length, sizeof(n))); CK(cudaMalloc(&out, 128));
    CK(cudaMemcpy(m, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemcpy(length, n, sizeof(n), cudaMemcpyHostToDevice));
    best<<<1, 32>>>(m, length, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 128, cudaMemcpyDeviceToHost));
    printf("saw: %g\n", h[0]);
    CK(cudaFree(m)); CK(cudaFree(length)); CK(cudaFree(out));
}
