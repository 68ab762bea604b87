// id:       picture-sampled-in-the-launch-that-draws-it
// chapter:  memory-hierarchy
// source:   written for this collection, after the programming guide on texture coherence
// did:      drew into an array through a surface and, behind a barrier, sampled it as a texture
// saw:      tiles of the picture of the launch before
// cause:    the texture cache is not told of what the running kernel draws
// kind:     stale-read
// point-at: line 28
// shows:    caches

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void draw(cudaSurfaceObject_t s) {
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite((float)(x + 10 * y), s, x * (int)sizeof(float), y);
}
__global__ void sample(cudaTextureObject_t t, float* out) {
    int x = threadIdx.x, y = threadIdx.y;
    out[x + 16 * y] = tex2D<float>(t, x + 1, y + 1);  // between four texels
}
__global__ void draw_and_sample(cudaSurfaceObject_t s, cudaTextureObject_t t, float* out) {
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite((float)(x + 10 * y), s, x * (int)sizeof(float), y);
    __syncthreads();
    out[x + 16 * y] = tex2D<float>(t, x + 1, y + 1);  // <-- BUG
}
int main() {
    float h[256], *out;
    CK(cudaMalloc(&out, sizeof h));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CK(cudaMallocArray(&array, &format, 16, 16, cudaArraySurfaceLoadStore));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaSurfaceObject_t s;
    CK(cudaCreateSurfaceObject(&s, &r));
    cudaTextureDesc d{};
    d.filterMode = cudaFilterModeLinear;
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t t;
    CK(cudaCreateTextureObject(&t, &r, &d, nullptr));
#ifdef FIXED
    draw<<<1, dim3(16, 16)>>>(s);
    sample<<<1, dim3(16, 16)>>>(t, out);
#else
    draw_and_sample<<<1, dim3(16, 16)>>>(s, t, out);
#endif
    CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("%g %g\n", h[5], h[100]);
    CK(cudaDestroyTextureObject(t)); CK(cudaDestroySurfaceObject(s));
    CK(cudaFreeArray(array)); CK(cudaFree(out));
}
