// id:       producer-and-consumer-barriers
// chapter:  shared-memory
// did:      synchronised half of the block with the other half without __syncthreads()
// right:    two named barriers: the consumers say that the buffer is empty, the producers that it
//           is full
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ void meet(int id) { asm volatile("bar.sync %0, 128;" :: "r"(id) : "memory"); }
__device__ void tell(int id) { asm volatile("bar.arrive %0, 128;" :: "r"(id) : "memory"); }
__global__ void stream(const int* in, int* out) {
    __shared__ int buffer[64];
    int t = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        for (int k = 0; k < 4; k++) {
            meet(1);  // empty
            buffer[t] = in[64 * k + t];
            tell(2);  // full
        }
    } else {
        tell(1);
        for (int k = 0; k < 4; k++) {
            meet(2);
            out[64 * k + t] = buffer[63 - t];
            if (k < 3) tell(1);
        }
    }
}
int main() {
    const int n = 256, m = 256;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    stream<<<1, 128>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
