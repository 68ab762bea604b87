// id:       barrier-object-used-before-init
// chapter:  async-copies
// source:   own
// did:      let thread 0 init() a cuda::barrier and all threads arrive right away
// saw:      works, as long as the first warp is the first
// cause:    nothing makes the other threads wait until the barrier has been made
// kind:     shared-race
// point-at: line 22 (also accept: 27)
// shows:    happens-before

#include <cstdio>
#include <cuda/barrier>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void reverse(int* out) {
    __shared__ int s[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    int t = threadIdx.x;
    if (t == 0)
        init(&b, 128);          // <-- BUG
#ifdef FIXED
    __syncthreads();
#endif
    s[t] = t;
    b.arrive_and_wait();        // <-- also accepted
    out[t] = s[127 - t];
}
int main() {
    int *out, r[128], bad = 0;
    CK(cudaMalloc(&out, sizeof(r)));
    reverse<<<1, 128>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 128; i++) bad += r[i] != 127 - i;
    printf("saw: %d of 128 elements wrong (want 0)\n", bad);
    CK(cudaFree(out));
}
