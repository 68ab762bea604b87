// id:       pipeline-stages-never-released
// chapter:  shared-memory
// did:      forgot consumer_release() in a pipeline of the block
// saw:      hangs when the stages are used up
// cause:    the producer waits for a free stage, and only a release makes one
// kind:     deadlock (also accept: shared-race)
// point-at: line 27 (also accept: 30)
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

namespace cg = cooperative_groups;
__global__ void stream(const int* in, int* out, int turns) {
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ int tile[stages][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int t = 0; t < turns; t++) {
        pipe.producer_acquire();                    // <-- BUG
        cuda::memcpy_async(block, tile[t % stages], in + 64 * t, sizeof(int) * 64, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum += tile[t % stages][63 - threadIdx.x];
#ifdef FIXED
        pipe.consumer_release();
#endif
    }
    out[threadIdx.x] = sum;
}
int main() {
    const int turns = 4;
    int h[64 * turns], *in, *out;
    for (int i = 0; i < 64 * turns; i++) h[i] = 1;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, 64 * sizeof(int)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    stream<<<1, 64>>>(in, out, turns);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
