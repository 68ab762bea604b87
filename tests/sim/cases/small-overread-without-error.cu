// id:       small-overread-without-error
// chapter:  debugging
// source:   NVIDIA forum thread 293471 'Out of bound memory read in kernel does not result in
//           error'
// did:      read one element past an array and expected a CUDA error
// saw:      cudaSuccess: the driver maps memory in large pages
// cause:    in[i + 1] is out of bounds for the last thread; only a checker sees it
// kind:     out-of-bounds
// point-at: line 23
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void step(const int* in, int* out, int n) {
    int i = threadIdx.x;
#ifdef FIXED
    if (i < n) out[i] = (i + 1 < n ? in[i + 1] : in[i]) - in[i];
#else
    if (i < n) out[i] = in[i + 1] - in[i];          // <-- BUG
#endif
}
int main() {
    const int n = 64;
    int h[n], *in, *out;
    for (int i = 0; i < n; i++) h[i] = 3 * i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    step<<<1, n>>>(in, out, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d %d (want 3 0)\n", h[0], h[n - 1]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
