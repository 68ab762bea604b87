// id:       break-out-of-a-loop-with-a-barrier
// chapter:  shared-memory
// source:   GitHub 1bit-MONSTER/1bit-MONSTER issue #1262
// did:      left a loop early, thread by thread, past the barrier in it
// saw:      hangs, or reads tiles that are not complete
// cause:    those that left wait at the barrier behind the loop while the others wait in it
// kind:     barrier-divergence
// point-at: line 28 (also accept: 30, 33)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void walk(const int* stop, int* out, int turns) {
    __shared__ int tile[64];
    int sum = 0;
    for (int t = 0; t < turns; t++) {
#ifdef FIXED
        bool mine = t < stop[threadIdx.x];
#else
        if (t >= stop[threadIdx.x]) break;
        bool mine = true;
#endif
        tile[threadIdx.x] = mine ? t : 0;
        __syncthreads();                            // <-- BUG
        if (mine) sum += tile[threadIdx.x ^ 1];
        __syncthreads();
    }
    tile[threadIdx.x] = sum;
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
    int h[64], *stop, *out;
    for (int i = 0; i < 64; i++) h[i] = 1 + i / 32;
    CK(cudaMalloc(&stop, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(stop, h, sizeof(h), cudaMemcpyHostToDevice));
    walk<<<1, 64>>>(stop, out, 3);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(stop)); CK(cudaFree(out));
}
