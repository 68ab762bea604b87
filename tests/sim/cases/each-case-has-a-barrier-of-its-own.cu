// id:       each-case-has-a-barrier-of-its-own
// chapter:  shared-memory
// source:   GitHub agency-library/agency issue #435
// did:      wrote a barrier into each case of a switch over the warp's role
// saw:      passes on one card and hangs on another
// cause:    they are different barriers, though they look alike
// kind:     barrier-divergence
// point-at: line 28 (also accept: 29, 30)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void roles(int* out) {
    __shared__ int s[96];
    int role = threadIdx.x / 32;
    switch (role) {
#ifdef FIXED
        case 0: s[threadIdx.x] = 1; break;
        case 1: s[threadIdx.x] = 20; break;
        default: s[threadIdx.x] = 300; break;
    }
    __syncthreads();
#else
        case 0: s[threadIdx.x] = 1; __syncthreads(); out[threadIdx.x] = 0; break;  // <-- BUG
        case 1: s[threadIdx.x] = 20; __syncthreads(); out[threadIdx.x] = 1; break;
        default: s[threadIdx.x] = 300; __syncthreads(); out[threadIdx.x] = 2; break;
    }
#endif
    out[threadIdx.x] += s[95 - threadIdx.x];
}
int main() {
    int h[96], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemset(out, 0, sizeof(h)));
    roles<<<1, 96>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(out));
}
