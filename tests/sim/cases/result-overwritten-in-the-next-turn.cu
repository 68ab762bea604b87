// id:       result-overwritten-in-the-next-turn
// chapter:  shared-memory
// did:      broadcast a value through shared memory in every turn of a loop, with a barrier after
//           the write
// cause:    a fast warp writes the next value while a slow one still reads this one: a second
//           barrier is due
// kind:     shared-race
// point-at: line 19 (also accept: 21)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void broadcast(const int* in, int* out) {
    __shared__ int value;
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t == 0) value = in[k];                  // <-- BUG
        __syncthreads();
        out[t] += value;                            // <-- also accepted
#ifdef FIXED
        __syncthreads();
#endif
    }
}
int main() {
    const int n = 128, m = 128;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    broadcast<<<1, 128>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
