// id:       surface-read-in-the-launch-that-writes-it
// chapter:  memory-hierarchy
// source:   written for this collection, after the programming guide on surface coherence
// did:      advanced a grid in a surface several steps in one launch, with a barrier between steps
// saw:      right results on this card
// cause:    a launch's surface reads need not see what it has written itself
// kind:     stale-read
// point-at: line 23
// shows:    caches

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

const int w = 32, h = 8;

// Every row moves one column to the left in each step.
__global__ void advance(cudaSurfaceObject_t s, int steps) {
    int x = threadIdx.x, y = threadIdx.y;
    for (int k = 0; k < steps; ++k) {
        int next;
        surf2Dread(&next, s, (x + 1) % w * (int)sizeof(int), y);  // <-- BUG
        __syncthreads();
        surf2Dwrite(next, s, x * (int)sizeof(int), y);
        __syncthreads();
    }
}
int main() {
    static int grid[w * h];
    for (int i = 0; i < w * h; ++i) grid[i] = i;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CK(cudaMallocArray(&array, &format, w, h, cudaArraySurfaceLoadStore));
    CK(cudaMemcpy2DToArray(array, 0, 0, grid, w * sizeof(int), w * sizeof(int), h,
                           cudaMemcpyHostToDevice));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaSurfaceObject_t s;
    CK(cudaCreateSurfaceObject(&s, &r));
#ifdef FIXED
    for (int k = 0; k < 3; ++k) advance<<<1, dim3(w, h)>>>(s, 1);
#else
    advance<<<1, dim3(w, h)>>>(s, 3);
#endif
    CK(cudaMemcpy2DFromArray(grid, w * sizeof(int), array, 0, 0, w * sizeof(int), h,
                             cudaMemcpyDeviceToHost));
    printf("%d %d\n", grid[0], grid[100]);
    CK(cudaDestroySurfaceObject(s)); CK(cudaFreeArray(array));
}
