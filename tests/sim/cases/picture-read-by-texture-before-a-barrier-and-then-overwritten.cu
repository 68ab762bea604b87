// id:       picture-read-by-texture-before-a-barrier-and-then-overwritten
// chapter:  memory-hierarchy
// source:   written for this collection
// did:      fetched a tile through a texture, waited at a barrier, and wrote it back mirrored
//           through a surface of the same array, in one launch
// saw:      nothing: it is right
// cause:    the barrier lies between the last read and the first write, and nobody reads later
// kind:     none
// shows:    near-miss

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

const int w = 64, h = 16, tile = 16;

// Each block mirrors a tile of its own. In the first row all threads write one texel: the same
// value, which is no race.
__global__ void mirror(cudaTextureObject_t from, cudaSurfaceObject_t to) {
    int x0 = blockIdx.x * tile, y = threadIdx.y;
    int texel = tex2D<int>(from, x0 + tile - 1 - threadIdx.x + 0.5f, y + 0.5f);
    __syncthreads();
    if (y > 0)
        surf2Dwrite(texel, to, (x0 + (int)threadIdx.x) * (int)sizeof(int), y);
    else
        surf2Dwrite(-1, to, x0 * (int)sizeof(int), 0);
}
int main() {
    static int picture[w * h];
    for (int i = 0; i < w * h; ++i) picture[i] = i;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CK(cudaMallocArray(&array, &format, w, h, cudaArraySurfaceLoadStore));
    CK(cudaMemcpy2DToArray(array, 0, 0, picture, w * sizeof(int), w * sizeof(int), h,
                           cudaMemcpyHostToDevice));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaSurfaceObject_t s;
    CK(cudaCreateSurfaceObject(&s, &r));
    cudaTextureDesc d{};
    cudaTextureObject_t t;
    CK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    mirror<<<w / tile, dim3(tile, h)>>>(t, s);
    mirror<<<w / tile, dim3(tile, h)>>>(t, s);
    CK(cudaMemcpy2DFromArray(picture, w * sizeof(int), array, 0, 0, w * sizeof(int), h,
                             cudaMemcpyDeviceToHost));
    printf("%d %d\n", picture[0], picture[100]);
    CK(cudaDestroyTextureObject(t)); CK(cudaDestroySurfaceObject(s)); CK(cudaFreeArray(array));
}
