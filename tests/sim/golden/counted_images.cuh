// Kernels that read textures and read, write and change surfaces.
#pragma once

#include <vector>

#include "counted_frame.cuh"

constexpr int side = 64;  // of the images

enum Walk { along_rows, along_columns, in_tiles };
template <Walk How>
__device__ int2 place() {
  const int i = index() % (side * side);
  switch (How) {
    case along_rows: return make_int2(i % side, i / side);
    case along_columns: return make_int2(i / side, i % side);
    default: return make_int2(i % 8 + i / 256 * 8, i / 8 % 32);
  }
}

template <typename T, Walk How>
__global__ void sampled(cudaTextureObject_t t, T* out) {
  const int2 p = place<How>();
  out[index()] = tex2D<T>(t, p.x + 0.5f, p.y + 0.5f);
}
template <typename T>
__global__ void sampled_between(cudaTextureObject_t t, T* out) {
  const int2 p = place<along_rows>();
  out[index()] = tex2D<T>(t, p.x + 1.0f, p.y + 1.0f);
}
// Of a texel of four, only the first channels.
template <int Channels>
__global__ void channels_between(cudaTextureObject_t t, float* out) {
  const int2 p = place<along_rows>();
  const float4 v = tex2D<float4>(t, p.x + 1.0f, p.y + 1.0f);
  out[index()] = v.x + (Channels > 1 ? v.y : 0) + (Channels > 2 ? v.z : 0);
}
template <typename T>
__global__ void fetched(cudaTextureObject_t t, T* out) {
  out[index()] = tex1Dfetch<T>(t, index() + 3);
}
__global__ void fetched_by_some(cudaTextureObject_t t, float* out) {
  if (lane() % 5 == 1) out[index()] = tex1Dfetch<float>(t, index() * 2);
}
__global__ void blurred(cudaTextureObject_t t, float* out) {  // the mean of 3 x 3
  const int2 p = place<along_rows>();
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(t, p.x + dx + 0.5f, p.y + dy + 0.5f);
  out[index()] = sum / 9;
}
__global__ void from_slices(cudaTextureObject_t t, float* out) {
  out[index()] = tex3D<float>(t, index() % 8 + 0.5f, index() / 8 % 8 + 0.5f, index() / 64 + 0.5f);
}
__global__ void between_slices(cudaTextureObject_t t, float* out) {
  out[index()] = tex3D<float>(t, index() % 8 + 1.0f, index() / 8 % 8 + 1.0f, index() / 64 + 1.0f);
}
__global__ void from_layers(cudaTextureObject_t t, float* out) {
  out[index()] = tex2DLayered<float>(t, index() % 8 + 0.5f, index() / 8 % 8 + 0.5f, lane() % 3);
}
__global__ void gathered_quads(cudaTextureObject_t t, float4* out) {
  const int2 p = place<along_rows>();
  out[index()] = tex2Dgather<float4>(t, p.x + 1.0f, p.y + 1.0f, 0);
}
template <typename T>
__global__ void surface_copied(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int2 p = place<along_rows>();
  surf2Dwrite(surf2Dread<T>(from, p.x * static_cast<int>(sizeof(T)), p.y), to,
              p.x * static_cast<int>(sizeof(T)), p.y);
}
template <typename T>
__global__ void surface_turned(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int2 p = place<in_tiles>();
  surf2Dwrite(surf2Dread<T>(from, p.x * static_cast<int>(sizeof(T)), p.y), to,
              p.y * static_cast<int>(sizeof(T)), p.x);
}
template <int Places>
__global__ void surface_counted(cudaSurfaceObject_t s) {
  const int x = lane() % Places * 4;
  asm volatile("sured.b.add.2d.u32.clamp [%0, {%1, %2}], %3;" ::"l"(s), "r"(x), "r"(lane() / 8),
               "r"(lane()));
}

struct Images {
  cudaArray_t array = nullptr;
  cudaTextureObject_t point = 0, linear = 0;
  cudaSurfaceObject_t surface = 0;
  Images(const cudaChannelFormatDesc& format, cudaExtent size, unsigned flags, bool filters) {
    cudaMalloc3DArray(&array, &format, size, flags);
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc d{};
    for (cudaTextureAddressMode& m : d.addressMode) m = cudaAddressModeClamp;
    cudaCreateTextureObject(&point, &r, &d, nullptr);
    if (flags & cudaArraySurfaceLoadStore) cudaCreateSurfaceObject(&surface, &r);
    d.filterMode = cudaFilterModeLinear;
    if (filters) cudaCreateTextureObject(&linear, &r, &d, nullptr);
  }
};
inline cudaTextureObject_t buffer_of(void* memory, const cudaChannelFormatDesc& format) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = memory;
  r.res.linear.desc = format;
  r.res.linear.sizeInBytes = 1 << 16;
  cudaTextureDesc d{};
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  return t;
}

inline void launch_images(void* in, void* out) {
  const cudaChannelFormatDesc f32{32, 0, 0, 0, cudaChannelFormatKindFloat};
  const cudaChannelFormatDesc f32x4{32, 32, 32, 32, cudaChannelFormatKindFloat};
  const cudaChannelFormatDesc u8x4{8, 8, 8, 8, cudaChannelFormatKindUnsigned};
  const cudaChannelFormatDesc u32{32, 0, 0, 0, cudaChannelFormatKindUnsigned};
  const cudaExtent plane = make_cudaExtent(side, side, 0);
  const Images floats(f32, plane, cudaArraySurfaceLoadStore, true);
  const Images other(f32, plane, cudaArraySurfaceLoadStore, true);
  const Images quads(f32x4, plane, cudaArraySurfaceLoadStore, true);
  const Images more_quads(f32x4, plane, cudaArraySurfaceLoadStore, true);
  const Images pairs({32, 32, 0, 0, cudaChannelFormatKindFloat}, plane, 0, true);
  const Images bytes(u8x4, plane, cudaArraySurfaceLoadStore, false);
  const Images words(u32, plane, cudaArraySurfaceLoadStore, false);
  const Images slices(f32, make_cudaExtent(8, 8, 8), 0, true);
  const Images layers(f32, make_cudaExtent(8, 8, 3), cudaArrayLayered, false);
  const Images gather(f32, plane, cudaArrayTextureGather, false);
  float* fo = static_cast<float*>(out);
  float4* qo = static_cast<float4*>(out);
  launch("sampled<float, along_rows>", sampled<float, along_rows>, floats.point, fo);
  launch("sampled<float, along_columns>", sampled<float, along_columns>, floats.point, fo);
  launch("sampled<float, in_tiles>", sampled<float, in_tiles>, floats.point, fo);
  launch("sampled<float4, along_rows>", sampled<float4, along_rows>, quads.point, qo);
  launch("sampled<uchar4, along_rows>", sampled<uchar4, along_rows>, bytes.point,
         static_cast<uchar4*>(out));
  launch("sampled_between<float>", sampled_between<float>, floats.linear, fo);
  launch("sampled_between<float4>", sampled_between<float4>, quads.linear, qo);
  launch("sampled<float, along_rows>", sampled<float, along_rows>, floats.linear, fo);
  launch("sampled<float4, in_tiles>", sampled<float4, in_tiles>, quads.linear, qo);
  launch("sampled_between<float2>", sampled_between<float2>, pairs.linear,
         static_cast<float2*>(out));
  launch("channels_between<1>", channels_between<1>, quads.linear, fo);
  launch("channels_between<2>", channels_between<2>, quads.linear, fo);
  launch("channels_between<3>", channels_between<3>, quads.linear, fo);
  launch("fetched<float>", fetched<float>, buffer_of(in, f32), fo);
  launch("fetched<float4>", fetched<float4>, buffer_of(in, f32x4), qo);
  launch("fetched<uchar4>", fetched<uchar4>, buffer_of(in, u8x4), static_cast<uchar4*>(out));
  launch("fetched_by_some", fetched_by_some, buffer_of(in, f32), fo);
  launch("blurred", blurred, floats.point, fo);
  launch("from_slices", from_slices, slices.point, fo);
  launch("from_slices", from_slices, slices.linear, fo);
  launch("between_slices", between_slices, slices.linear, fo);
  launch("from_layers", from_layers, layers.point, fo);
  launch("gathered_quads", gathered_quads, gather.point, qo);
  launch("surface_copied<float>", surface_copied<float>, floats.surface, other.surface);
  launch("surface_copied<float4>", surface_copied<float4>, quads.surface, more_quads.surface);
  launch("surface_copied<unsigned char>", surface_copied<unsigned char>, bytes.surface,
         bytes.surface);
  launch("surface_turned<float>", surface_turned<float>, floats.surface, other.surface);
  launch("surface_counted<8>", surface_counted<8>, words.surface);
  launch("surface_counted<1>", surface_counted<1>, words.surface);
}
