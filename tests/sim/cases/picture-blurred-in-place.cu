// id:       picture-blurred-in-place
// chapter:  memory-hierarchy
// source:   written for this collection
// did:      sampled the neighbours of each pixel as a texture and wrote the result through a surface
//           of the same array
// saw:      seams that move from run to run
// cause:    nothing orders a thread's samples and its neighbours' writes
// kind:     global-race
// point-at: line 23 (also accept: 24)
// shows:    two-buffers

#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

const int w = 64, h = 32;

__global__ void blur(cudaTextureObject_t from, cudaSurfaceObject_t to) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = -1; k <= 1; ++k) sum += tex2D<float>(from, x + k + 0.5f, y + 0.5f);
    surf2Dwrite(sum / 3, to, x * (int)sizeof(float), y);
}
int main() {
    static float picture[w * h];
    for (int i = 0; i < w * h; ++i) picture[i] = i % 17;
    cudaArray_t array[2];
    cudaSurfaceObject_t s[2];
    cudaTextureObject_t t[2];
    for (int k = 0; k < 2; ++k) {
        cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        CK(cudaMallocArray(&array[k], &format, w, h, cudaArraySurfaceLoadStore));
        CK(cudaMemcpy2DToArray(array[k], 0, 0, picture, w * sizeof(float), w * sizeof(float), h,
                               cudaMemcpyHostToDevice));
        cudaResourceDesc r{};
        r.resType = cudaResourceTypeArray;
        r.res.array.array = array[k];
        CK(cudaCreateSurfaceObject(&s[k], &r));
        cudaTextureDesc d{};
        d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
        CK(cudaCreateTextureObject(&t[k], &r, &d, nullptr));
    }
    int from = 0;
    for (int turn = 0; turn < 2; ++turn) {
#ifdef FIXED
        int to = 1 - from;
#else
        int to = from;  // <-- BUG
#endif
        blur<<<dim3(w / 16, h / 8), dim3(16, 8)>>>(t[from], s[to]);
        from = to;
    }
    CK(cudaMemcpy2DFromArray(picture, w * sizeof(float), array[from], 0, 0, w * sizeof(float), h,
                             cudaMemcpyDeviceToHost));
    printf("%g %g\n", picture[5], picture[1000]);
    for (int k = 0; k < 2; ++k) {
        CK(cudaDestroyTextureObject(t[k])); CK(cudaDestroySurfaceObject(s[k]));
        CK(cudaFreeArray(array[k]));
    }
}
