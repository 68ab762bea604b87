// id:       done-threads-do-not-drop-out
// chapter:  shared-memory
// did:      let threads leave a loop of arrivals when their own work was done
// saw:      hangs as soon as one has less to do
// cause:    the barrier goes on counting them; arrive_and_drop() tells it that they are gone
// kind:     deadlock
// point-at: line 27
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void steps(const int* work, int* out) {
    __shared__ alignas(8) unsigned char place[sizeof(barrier)];
    __shared__ int s[64];
    barrier& step = *reinterpret_cast<barrier*>(place);
    if (threadIdx.x == 0) init(&step, blockDim.x);
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int t = 0; t < work[threadIdx.x]; t++) {
        s[threadIdx.x] = t;
        step.arrive_and_wait();                     // <-- BUG
    }
#ifdef FIXED
    step.arrive_and_drop();
#endif
    out[threadIdx.x] = s[threadIdx.x];
}
int main() {
    int h[64], *work, *out;
    for (int i = 0; i < 64; i++) h[i] = i < 40 ? 3 : 2;
    CK(cudaMalloc(&work, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(work, h, sizeof(h), cudaMemcpyHostToDevice));
    steps<<<1, 64>>>(work, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(work)); CK(cudaFree(out));
}
