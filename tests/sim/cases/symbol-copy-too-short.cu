// id:       symbol-copy-too-short
// chapter:  memory-hierarchy
// source:   GitHub dealii/dealii pull request #12735
// did:      computed the byte count of the constant table from a formula that is right in 2-D only
// saw:      2-D tests pass, 3-D tests fail
// cause:    only part of the __constant__ array is copied, the rest keeps its zeros
// kind:     wrong-result
// point-at: line 31
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

const int N = 3;
__constant__ double weights[N * N * N];
__global__ void sumAll(double* out) {
    double s = 0;
    for (int i = 0; i < N * N * N; i++) s += weights[i];
    *out = s;
}
int main() {
    double w[N * N * N], *d, s = 0;
    for (double& x : w) x = 1;
    CK(cudaMalloc(&d, sizeof(double)));
#ifdef FIXED
    CK(cudaMemcpyToSymbol(weights, w, sizeof(w)));
#else
    CK(cudaMemcpyToSymbol(weights, w, sizeof(double) * N * N));   // <-- BUG
#endif
    sumAll<<<1, 1>>>(d);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&s, d, sizeof(double), cudaMemcpyDeviceToHost));
    printf("saw: %g (want 27)\n", s);
    CK(cudaFree(d));
}
