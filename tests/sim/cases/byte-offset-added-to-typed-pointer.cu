// id:       byte-offset-added-to-typed-pointer
// chapter:  memory-hierarchy
// source:   GitHub alicevision/AliceVision pull request #477
// did:      added a slice offset in bytes to an int pointer
// saw:      worked while voxels were unsigned char, broke when they became int
// cause:    pointer arithmetic already multiplies by sizeof(int): the offset is four times too
//           large
// kind:     out-of-bounds
// point-at: line 20 (also accept: 32)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fillSlice(int* slice, int n, int value) {
    int i = threadIdx.x;
    if (i < n) slice[i] = value;                    // <-- BUG
}
int main() {
    const int sliceElems = 64, slices = 4;
    const size_t sliceBytes = sliceElems * sizeof(int);
    int* vol, h[sliceElems * slices] = {};
    CK(cudaMalloc(&vol, slices * sliceBytes));
    CK(cudaMemset(vol, 0, slices * sliceBytes));
    for (int z = 0; z < slices; z++) {
#ifdef FIXED
        int* p = (int*)((char*)vol + z * sliceBytes);
#else
        int* p = vol + z * sliceBytes;              // <-- also accepted
#endif
        fillSlice<<<1, 64>>>(p, sliceElems, z);
        CK(cudaGetLastError());
    }
    CK(cudaMemcpy(h, vol, slices * sliceBytes, cudaMemcpyDeviceToHost));
    printf("saw: slice 3 holds %d (want 3)\n", h[3 * sliceElems]);
    CK(cudaFree(vol));
}
