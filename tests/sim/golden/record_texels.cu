// Reads and writes texels in patterns, for Nsight Compute to count on a real GPU. Launch n of the
// program is line n of what it prints; texels.txt has the counters of those launches:
//
//   nvcc -arch=native record_texels.cu -o record_texels
//   ncu --csv --page raw --metrics <as in texels.txt> ./record_texels
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>

#include "texel_patterns.h"

__constant__ int2 at[32];
__device__ float sink;  // never written: keeps the reads alive

template <class T>
__device__ float one(T v) {
  float f;
  memcpy(&f, &v, sizeof f);
  return f;
}

template <class T>
__global__ void fetch2d(cudaTextureObject_t t, float shift) {
  const int2 p = at[threadIdx.x];
  const float v = one(tex2D<T>(t, p.x + shift, p.y + shift));
  if (v == 1.2345f) sink = v;
}
template <class T>
__global__ void fetch1d(cudaTextureObject_t t) {
  const float v = one(tex1Dfetch<T>(t, at[threadIdx.x].x + 64 * at[threadIdx.x].y));
  if (v == 1.2345f) sink = v;
}
template <class T>
__global__ void surface_load(cudaSurfaceObject_t s) {
  const int2 p = at[threadIdx.x];
  const float v = one(surf2Dread<T>(s, p.x * static_cast<int>(sizeof(T)), p.y));
  if (v == 1.2345f) sink = v;
}
template <class T>
__global__ void surface_store(cudaSurfaceObject_t s) {
  const int2 p = at[threadIdx.x];
  T v;
  memset(&v, 0, sizeof v);
  surf2Dwrite(v, s, p.x * static_cast<int>(sizeof(T)), p.y);
}

template <class T>
__global__ void fetch3d(cudaTextureObject_t t, bool deep, float shift) {
  const int x = at[threadIdx.x].x % volume_size, y = at[threadIdx.x].y % volume_size;
  const int row = deep ? deep_row : y, slice = deep ? y : flat_slice;
  const float v = one(tex3D<T>(t, x + shift, row + shift, slice + shift));
  if (v == 1.2345f) sink = v;
}

void place(const TexelPattern& p) {
  int2 where[32];
  for (int l = 0; l < 32; ++l) where[l] = make_int2(p.x(l), p.y(l));
  cudaMemcpyToSymbol(at, where, sizeof where);
}

template <class T>
void make_volume(const char* format, const cudaChannelFormatDesc& desc) {
  cudaArray_t array = nullptr;
  cudaMalloc3DArray(&array, &desc, make_cudaExtent(volume_size, volume_size, volume_size));
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc d{};
  for (cudaTextureAddressMode& m : d.addressMode) m = cudaAddressModeClamp;
  d.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t linear = 0;
  cudaCreateTextureObject(&linear, &r, &d, nullptr);
  for (const TexelPattern& p : texel_patterns) {
    place(p);
    for (const bool deep : {false, true})
      for (const bool between : {false, true}) {
        std::printf("%s-%s %s %s\n", deep ? "deep" : "flat", between ? "between" : "centred",
                    format, p.name);
        fetch3d<T><<<1, p.lanes>>>(linear, deep, between ? 1.0f : 0.5f);
      }
  }
}

template <class T>
void make(const char* format, const cudaChannelFormatDesc& desc) {
  constexpr int n = 64;
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &desc, n, n, cudaArraySurfaceLoadStore);
  void* memory = nullptr;
  cudaMalloc(&memory, n * n * sizeof(T));
  cudaMemset(memory, 0, n * n * sizeof(T));
  cudaMemcpy2DToArray(array, 0, 0, memory, n * sizeof(T), n * sizeof(T), n,
                      cudaMemcpyDeviceToDevice);
  cudaResourceDesc r{};
  cudaTextureDesc d{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureObject_t point = 0, linear = 0, fetch = 0, pitched = 0;
  cudaSurfaceObject_t surface = 0;
  cudaCreateTextureObject(&point, &r, &d, nullptr);
  cudaCreateSurfaceObject(&surface, &r);
  d.filterMode = cudaFilterModeLinear;
  cudaCreateTextureObject(&linear, &r, &d, nullptr);
  d.filterMode = cudaFilterModePoint;
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = memory;
  r.res.linear.desc = desc;
  r.res.linear.sizeInBytes = n * n * sizeof(T);
  cudaCreateTextureObject(&fetch, &r, &d, nullptr);
  r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = memory;
  r.res.pitch2D.desc = desc;
  r.res.pitch2D.width = r.res.pitch2D.height = n;
  r.res.pitch2D.pitchInBytes = n * sizeof(T);
  cudaCreateTextureObject(&pitched, &r, &d, nullptr);
  for (const TexelPattern& p : texel_patterns) {
    place(p);
    std::printf("point %s %s\n", format, p.name);
    fetch2d<T><<<1, p.lanes>>>(point, 0.5f);
    if (linear) {
      std::printf("linear %s %s\n", format, p.name);
      fetch2d<T><<<1, p.lanes>>>(linear, 1.0f);
    }
    std::printf("fetch %s %s\n", format, p.name);
    fetch1d<T><<<1, p.lanes>>>(fetch);
    std::printf("pitched %s %s\n", format, p.name);
    fetch2d<T><<<1, p.lanes>>>(pitched, 0.5f);
    std::printf("load %s %s\n", format, p.name);
    surface_load<T><<<1, p.lanes>>>(surface);
    std::printf("store %s %s\n", format, p.name);
    surface_store<T><<<1, p.lanes>>>(surface);
  }
}

int main() {
  make<float>("f32x1", {32, 0, 0, 0, cudaChannelFormatKindFloat});
  make<float4>("f32x4", {32, 32, 32, 32, cudaChannelFormatKindFloat});
  make_volume<float>("f32x1", {32, 0, 0, 0, cudaChannelFormatKindFloat});
  make_volume<float2>("f32x2", {32, 32, 0, 0, cudaChannelFormatKindFloat});
  make_volume<float4>("f32x4", {32, 32, 32, 32, cudaChannelFormatKindFloat});
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
