// id:       bins-cleared-without-barrier
// chapter:  shared-memory
// source:   GitHub alicevision/popsift pull request #82 (racecheck report); NVIDIA forum thread
//           23666 (histogram listing)
// did:      cleared shared bins and started the atomics without waiting
// saw:      WARN race between the clearing write and atomicAdd; some counts vanish
// cause:    a warp may count before another warp has cleared its bins
// kind:     shared-race
// point-at: line 24 (also accept: 20)
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void histo(const unsigned char* t, int n, int* bins) {
    __shared__ int local[256];
    local[threadIdx.x] = 0;                         // <-- also accepted
#ifdef FIXED
    __syncthreads();
#endif
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&local[t[i]], 1);   // <-- BUG
    __syncthreads();
    bins[threadIdx.x] = local[threadIdx.x];
}
int main() {
    const int n = 2048;
    static unsigned char txt[n];
    unsigned char* t; int h[256], *bins, sum = 0;
    for (int i = 0; i < n; i++) txt[i] = (i * 7) % 256;
    CK(cudaMalloc(&t, n)); CK(cudaMalloc(&bins, sizeof(h)));
    CK(cudaMemcpy(t, txt, n, cudaMemcpyHostToDevice));
    histo<<<1, 256>>>(t, n, bins);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, bins, sizeof(h), cudaMemcpyDeviceToHost));
    for (int x : h) sum += x;
    printf("saw: %d counted (want %d; may look right)\n", sum, n);
    CK(cudaFree(t)); CK(cudaFree(bins));
}
