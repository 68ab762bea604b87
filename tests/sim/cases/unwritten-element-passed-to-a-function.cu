// id:       unwritten-element-passed-to-a-function
// chapter:  memory-hierarchy
// did:      handed elements that nobody had written to a function that is called, not inlined
// saw:      right in the debug build, garbage in another
// cause:    the array is filled up to n, and the function is called for one more
// kind:     uninitialised-read
// point-at: line 24
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ __noinline__ float weigh(float left, float right) { return 0.25f * left + 0.75f * right; }
__global__ void smooth(const float* in, float* out, int n) {
    __shared__ float s[65];
    if (threadIdx.x < n) s[threadIdx.x] = in[threadIdx.x];
#ifdef FIXED
    if (threadIdx.x == 0) s[n] = 0;
#endif
    __syncthreads();
    if (threadIdx.x < n) out[threadIdx.x] = weigh(s[threadIdx.x], s[threadIdx.x + 1]);  // <-- BUG
}
int main() {
    float h[64], *in, *out;
    for (int i = 0; i < 64; i++) h[i] = 1;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    smooth<<<1, 64>>>(in, out, 64);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %g\n", h[0]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
