// id:       inserted-past-the-best-five
// chapter:  memory-hierarchy
// did:      inserted a value at position k of a local array, also when k is its length
// cause:    a value worse than all that are kept has no place
// kind:     out-of-bounds
// point-at: line 27

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#define K 5
__global__ void topk(const float* x, int n, float* out) {
    float best[K];
    for (int k = 0; k < K; k++) best[k] = -1;
    for (int i = 0; i < n; i++) {
        float v = x[threadIdx.x * n + i];
        int k = 0;
        while (k < K && best[k] >= v) k++;
#ifdef FIXED
        if (k == K) continue;
        for (int j = K - 1; j > k; j--) best[j] = best[j - 1];
#else
        for (int j = K - 1; j > k; j--) best[j] = best[j - 1];
#endif
        best[k] = v;                                // <-- BUG
    }
    for (int k = 0; k < K; k++) out[threadIdx.x * K + k] = best[k];
}
int main() {
    const int n = 20;
    float h[8 * n], r[8 * K], *x, *o;
    for (int i = 0; i < 8 * n; i++) h[i] = float((i * 37) % 101);
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&o, sizeof r));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    topk<<<1, 8>>>(x, n, o);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost));
    printf("%g %g\n", r[0], r[4]);
    CK(cudaFree(x)); CK(cudaFree(o));
}
