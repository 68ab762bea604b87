// id:       activemask-as-participation-mask
// chapter:  warps-divergence
// source:   GitHub moderngpu/moderngpu pull request #36 (review); NVIDIA/flashdreams pull request
//           #65 (review)
// did:      silenced a deadlock by using __activemask() as the mask
// saw:      right almost always; a sum misses some lanes when the warp is split at that moment
// cause:    __activemask() says who happens to be here now, not who takes part: derive the mask
//           from the predicate
// kind:     wrong-result (also accept: barrier-divergence, global-race)
// point-at: line 27 (also accept: 30)
// shows:    schedule-dependent

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void countBig(const int* v, int* out, int n, int limit) {
    int i = threadIdx.x;
    bool big = i < n && v[i] > limit;
#ifdef FIXED
    unsigned mask = __ballot_sync(0xffffffffu, big);
#endif
    if (big) {
#ifndef FIXED
        unsigned mask = __activemask();             // <-- BUG
#endif
        int leader = __ffs(mask) - 1;
        if (i == leader) *out = __popc(mask);       // <-- also accepted
    }
}
int main() {
    int h[32], *v, *out, s = 0;
    for (int i = 0; i < 32; i++) h[i] = i;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(int)));
    CK(cudaMemset(out, 0, sizeof(int)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    countBig<<<1, 32>>>(v, out, 32, 20);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&s, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 11; may look right)\n", s);
    CK(cudaFree(v)); CK(cudaFree(out));
}
