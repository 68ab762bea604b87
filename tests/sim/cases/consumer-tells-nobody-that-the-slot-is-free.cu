// id:       consumer-tells-nobody-that-the-slot-is-free
// chapter:  shared-memory
// did:      let the producer wait until its slot is free, and the consumer never say so
// saw:      hangs in the second turn
// cause:    the consumer must arrive at the barrier that the producer waits for
// kind:     deadlock
// point-at: line 28 (also accept: 32)
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/std/utility>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void ring(int* out, int turns) {
    __shared__ alignas(8) unsigned char place[2 * sizeof(barrier)];
    __shared__ int slot[32];
    barrier* b = reinterpret_cast<barrier*>(place);   // b[0]: filled, b[1]: free
    if (threadIdx.x < 2) init(&b[threadIdx.x], 64);
    __syncthreads();
    int lane = threadIdx.x % 32, sum = 0;
    for (int t = 0; t < turns; t++) {
        if (threadIdx.x < 32) {
            if (t > 0) b[1].arrive_and_wait();      // <-- BUG
            slot[lane] = t;
            barrier::arrival_token k = b[0].arrive(); (void)k;
        } else {
            b[0].arrive_and_wait();
            sum += slot[lane];
#ifdef FIXED
            if (t + 1 < turns) { barrier::arrival_token k = b[1].arrive(); (void)k; }
#endif
        }
    }
    if (threadIdx.x >= 32) out[lane] = sum;
}
int main() {
    int h[32], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    ring<<<1, 64>>>(out, 3);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(out));
}
