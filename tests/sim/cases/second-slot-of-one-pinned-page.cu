// id:       second-slot-of-one-pinned-page
// chapter:  streams
// source:   written for this collection
// did:      reused the slots of one small pinned buffer, having waited for the first slot's copy
//           only
// saw:      the second message arrives with the third one's bytes, rarely
// cause:    each slot needs its own event; waiting for one copy says nothing of the next
// kind:     stream-race
// point-at: line 37
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

int main() {
    const int slot = 64;
    int *ring, *d;
    CK(cudaMallocHost(&ring, 3 * slot * sizeof(int)));
    CK(cudaMalloc(&d, 2 * slot * sizeof(int)));
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    cudaEvent_t sent[2];
    for (cudaEvent_t& e : sent) CK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < slot; ++k) ring[i * slot + k] = i * 1000 + k;
        CK(cudaMemcpyAsync(d + i * slot, ring + i * slot, slot * sizeof(int), cudaMemcpyHostToDevice, s));
        CK(cudaEventRecord(sent[i], s));
        ring[2 * slot] = i;  // a counter of the host's own, in the same page
    }
    CK(cudaEventSynchronize(sent[0]));
    ring[0] = -1;
#ifdef FIXED
    CK(cudaEventSynchronize(sent[1]));
#endif
    ring[slot] = -2;                                // <-- BUG
    CK(cudaStreamSynchronize(s));
    for (cudaEvent_t& e : sent) CK(cudaEventDestroy(e));
    CK(cudaStreamDestroy(s)); CK(cudaFreeHost(ring)); CK(cudaFree(d));
}
