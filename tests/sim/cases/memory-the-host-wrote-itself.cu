// id:       memory-the-host-wrote-itself
// chapter:  memory-hierarchy
// did:      let the host write managed, pinned and constant memory without any copy to the device
// why right:all of it counts as written: the host sees these bytes
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__constant__ int scale[2];
__device__ int offsets[4];
__managed__ int shift;
__global__ void all(const int* managed, const int* pinned, int* out) {
    int i = threadIdx.x;
    out[i] = managed[i] * scale[0] + pinned[i] + offsets[i & 3] + shift;
}
int main() {
    int *managed, *pinned, *out, h[32], two[2] = {2, 0};
    CK(cudaMallocManaged(&managed, sizeof(h))); CK(cudaMallocHost(&pinned, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(h)));
    for (int i = 0; i < 32; i++) { managed[i] = i; pinned[i] = 1; }
    shift = 3;
    CK(cudaMemcpyToSymbol(scale, two, sizeof(two)));
    all<<<1, 32>>>(managed, pinned, out); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 66)\n", h[31]);
    CK(cudaFree(managed)); CK(cudaFreeHost(pinned)); CK(cudaFree(out));
}
