// id:       tree-over-the-active-lanes-behind-a-branch
// chapter:  warps-divergence
// did:      used __activemask() behind a branch, where all lanes should be together again
// saw:      right almost always; a partial sum when the compiler did not bring the lanes together
// cause:    nothing promises that lanes have met again behind an if; name the lanes you need
// kind:     barrier-divergence
// point-at: line 22 (also accept: 25)
// shows:    schedule-dependent

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum(const int* in, int* out) {
    int v = in[threadIdx.x];
    for (int k = 0; k < v % 3; k++) v = 3 * v + in[k];
#ifdef FIXED
    const unsigned mask = 0xffffffffu;
#else
    const unsigned mask = __activemask();           // <-- BUG
#endif
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(mask, v, d);
    if (threadIdx.x == 0) *out = v;
}
int main() {
    int h[32], *in, *out, s = 0;
    for (int i = 0; i < 32; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(int)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    sum<<<1, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&s, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", s);
    CK(cudaFree(in)); CK(cudaFree(out));
}
