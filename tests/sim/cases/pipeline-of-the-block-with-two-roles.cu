// id:       pipeline-of-the-block-with-two-roles
// chapter:  shared-memory
// did:      let one warp copy and the others compute, through a pipeline with two stages
// right:    producers acquire and commit, consumers wait and release, each in each turn
// kind:     none

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
    __shared__ int tile[stages][32];
    auto block = cg::this_thread_block();
    const bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state,
        produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0, lane = threadIdx.x % 32;
    for (int t = 0; t < turns; t++) {
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[t % stages][lane], in + 32 * t + lane, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += tile[t % stages][31 - lane];
            pipe.consumer_release();
        }
    }
    if (!produces) out[threadIdx.x - 32] = sum;
}
int main() {
    const int turns = 5;
    int h[32 * turns], *in, *out;
    for (int i = 0; i < 32 * turns; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, 256));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    stream<<<1, 96>>>(in, out, turns);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 256, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
