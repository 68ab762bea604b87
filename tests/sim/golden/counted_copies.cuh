// Kernels that copy to shared memory past the registers (cp.async).
#pragma once

#include <cuda_pipeline_primitives.h>

#include "counted_frame.cuh"

__device__ inline void arrived() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
}

template <typename T>
__global__ void copied(const T* in, T* out) {
  __shared__ T cells[threads];
  __pipeline_memcpy_async(&cells[threadIdx.x], &in[index()], sizeof(T));
  arrived();
  out[index()] = cells[threads - 1 - threadIdx.x];
}
template <typename T, int Stride>
__global__ void copied_apart(const T* in, T* out) {
  __shared__ T cells[threads];
  __pipeline_memcpy_async(&cells[threadIdx.x], &in[index() * Stride], sizeof(T));
  arrived();
  out[index()] = cells[threadIdx.x];
}
template <typename T, int Stride>
__global__ void copied_to_strides(const T* in, T* out) {
  __shared__ T cells[threads * Stride];
  __pipeline_memcpy_async(&cells[threadIdx.x * Stride], &in[index()], sizeof(T));
  arrived();
  out[index()] = cells[threadIdx.x * Stride];
}
// Rows of 128 bytes from a matrix whose rows are 512, into a tile: its rows side by side, or with
// 16 bytes between them, or each with its pieces in another order (swizzled).
enum Tile { dense, padded, swizzled };
template <Tile How>
__global__ void copied_tile(const float4* in, float4* out) {
  constexpr int pitch = How == padded ? 9 : 8;
  __shared__ float4 tile[threads / 8 * pitch];
  const int row = threadIdx.x / 8, column = threadIdx.x % 8;
  float4* to = &tile[row * pitch + (How == swizzled ? column ^ row % 8 : column)];
  __pipeline_memcpy_async(to, &in[blockIdx.x * 8 + row * 32 + column], sizeof(float4));
  arrived();
  out[index()] = *to;
}
// A matrix with rows of 64 numbers is read down its columns, and a tile is written along its rows.
template <int Width>
__global__ void copied_columns(const float* in, float* out) {
  __shared__ float tile[threads / Width][Width];
  const int row = threadIdx.x / Width, column = threadIdx.x % Width;
  __pipeline_memcpy_async(&tile[row][column], &in[column * 64 + row], sizeof(float));
  arrived();
  out[index()] = tile[row][column];
}
__global__ void copied_by_some(const float4* in, float4* out) {
  __shared__ float4 cells[threads];
  cells[threadIdx.x] = make_float4(0, 0, 0, 0);
  __syncthreads();
  if (lane() % 3 == 0) __pipeline_memcpy_async(&cells[threadIdx.x], &in[index()], sizeof(float4));
  arrived();
  out[index()] = cells[threadIdx.x];
}
__global__ void copied_and_filled(const float4* in, float4* out) {  // odd threads get zeros
  __shared__ float4 cells[threads];
  __pipeline_memcpy_async(&cells[threadIdx.x], &in[index()], 16, threadIdx.x % 2 * 16);
  arrived();
  out[index()] = cells[threadIdx.x];
}

inline void launch_copies(void* in, void* out) {
  const float* fi = static_cast<float*>(in);
  float* fo = static_cast<float*>(out);
  const double* di = static_cast<double*>(in);
  double* dest = static_cast<double*>(out);
  const float4* qi = static_cast<float4*>(in);
  float4* qo = static_cast<float4*>(out);
  launch("copied<float>", copied<float>, fi, fo);
  launch("copied<double>", copied<double>, di, dest);
  launch("copied<float4>", copied<float4>, qi, qo);
  launch("copied_apart<float, 2>", copied_apart<float, 2>, fi, fo);
  launch("copied_apart<float, 4>", copied_apart<float, 4>, fi, fo);
  launch("copied_apart<float, 9>", copied_apart<float, 9>, fi, fo);
  launch("copied_apart<float, 32>", copied_apart<float, 32>, fi, fo);
  launch("copied_apart<double, 2>", copied_apart<double, 2>, di, dest);
  launch("copied_apart<double, 5>", copied_apart<double, 5>, di, dest);
  launch("copied_apart<float4, 2>", copied_apart<float4, 2>, qi, qo);
  launch("copied_apart<float4, 3>", copied_apart<float4, 3>, qi, qo);
  launch("copied_to_strides<float, 2>", copied_to_strides<float, 2>, fi, fo);
  launch("copied_to_strides<float, 33>", copied_to_strides<float, 33>, fi, fo);
  launch("copied_to_strides<double, 4>", copied_to_strides<double, 4>, di, dest);
  launch("copied_to_strides<float4, 2>", copied_to_strides<float4, 2>, qi, qo);
  launch("copied_tile<dense>", copied_tile<dense>, qi, qo);
  launch("copied_tile<padded>", copied_tile<padded>, qi, qo);
  launch("copied_tile<swizzled>", copied_tile<swizzled>, qi, qo);
  launch("copied_columns<8>", copied_columns<8>, fi, fo);
  launch("copied_columns<32>", copied_columns<32>, fi, fo);
  launch("copied_by_some", copied_by_some, qi, qo);
  launch("copied_and_filled", copied_and_filled, qi, qo);
}
