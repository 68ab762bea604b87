// Kernels with blocks of odd shapes, warps that are switched off, types of uncommon sizes, generic
// pointers, exchanges within a warp, atomics of every kind and in divergent code.
#pragma once

#include <cuda_fp16.h>

#include "counted_frame.cuh"

// ---- Blocks of odd shapes ----

__device__ inline int place_in_block() {
  return static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}
__device__ inline int place_in_grid() {
  const int block = static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x);
  return block * static_cast<int>(blockDim.x * blockDim.y * blockDim.z) + place_in_block();
}
__global__ void copied_by_all(const float* in, float* out) {
  out[place_in_grid()] = in[place_in_grid()];
}
__global__ void image(const float* in, float* out, int w, int h) {  // a thread a pixel
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < w && y < h) out[y * w + x] = in[y * w + x];
}
__global__ void image_by_columns(const float* in, float* out, int w, int h) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < w && y < h) out[x * h + y] = in[x * h + y];
}
__global__ void odd_tile(const float* in, float* out) {
  __shared__ float cells[16][17];
  cells[threadIdx.y][threadIdx.x] = in[place_in_block()];
  __syncthreads();
  out[place_in_block()] = cells[threadIdx.x % blockDim.y][threadIdx.y];
}

// ---- Warps and lanes that are switched off ----

__global__ void first_warp(const float* in, float* out) {
  if (threadIdx.x < 32) out[index()] = in[index()] + in[index() + 64];
}
__global__ void one_warp_late(const float* in, float* out) {
  if (threadIdx.x / 32 != 1) return;
  out[index()] = in[index() * 2];
}
__global__ void one_thread(const float* in, float* out) {
  if (threadIdx.x == 0)
    for (int i = 0; i < 8; ++i) out[blockIdx.x * 8 + i] = in[blockIdx.x * 8 + i];
}
__global__ void never(const float* in, float* out, int n) {
  if (index() >= n) out[index()] = in[index()];
}
__global__ void by_value(const int* at, const float* in, float* out) {  // as the data say
  const int where = at[index()];
  if (where % 4 == 0) out[index()] = in[where];
  if (where % 3 == 1) out[index() + count] = in[where + 1];
}

// ---- Types ----

struct Bytes3 {
  unsigned char r, g, b;
};
struct Shorts3 {
  short x, y, z;
};
struct Mixed {  // 16 bytes, 8 aligned
  double a;
  float b;
  int c;
};
struct Misplaced {  // the pair stands 4 bytes into the struct
  float a;
  float pair[2];
};
struct Sixteen {
  unsigned char bytes[16];
};
template <typename T>
__global__ void moved(const T* in, T* out) {
  out[index()] = in[index()];
}
__global__ void pair_inside(const Misplaced* in, float2* out) {
  out[index()] = make_float2(in[index()].pair[0], in[index()].pair[1]);
}
__global__ void half_axpy(const __half2* in, __half2* out) {
  out[index()] = __hfma2(in[index()], __float2half2_rn(2.0f), out[index()]);
}
__global__ void single_halves(const half* in, half* out) {
  out[index()] = __hadd(in[index()], in[index() + 1]);
}
template <typename T>
__global__ void through_cache(const T* in, T* out) {
  out[index()] = __ldg(in + index() + 1);
}
__global__ void streamed(const float4* in, float4* out) {
  __stcs(out + index(), __ldcs(in + index()));
}
__global__ void around_cache(const float* in, float* out) {
  __stcg(out + index(), __ldcg(in + index()) + __ldcv(in + index()));
}
__global__ void volatile_twice(const volatile float* in, volatile float* out) {
  out[index()] = in[index()] + in[index()];
}
__global__ void words_of_bytes(const unsigned char* in, int* out) {  // four loads of a byte
  const unsigned char* at = in + index() * 4;
  out[index()] = at[0] + at[1] * 2 + at[2] * 3 + at[3] * 5;
}
__global__ void unrolled(const float* in, float* out) {  // four neighbours each
  const float* at = in + index() * 4;
  out[index()] = at[0] + at[1] * 2 + at[2] * 3 + at[3] * 5;
}

// ---- Generic pointers, local and constant memory ----

__global__ void either_space(const float* in, float* out, int which) {
  __shared__ float cells[threads];
  cells[threadIdx.x] = in[index()];
  __syncthreads();
  const float* at = which ? cells : in + blockIdx.x * threads;
  out[index()] = at[threads - 1 - threadIdx.x];
}
template <typename T, int Length>
__global__ void local_stack(const int* at, T* out) {  // filled and read where the data say
  T mine[Length];
#pragma unroll 1
  for (int i = 0; i < Length; ++i) mine[i] = 0;
#pragma unroll 1
  for (int i = 0; i < Length; ++i) mine[(at[index() + i] + i) % Length] = static_cast<T>(i);
  T sum = 0;
#pragma unroll 1
  for (int i = 0; i < 4; ++i) sum += mine[at[index() + count + i] % Length];
  out[index()] = sum;
}
struct Taps {
  float row[4][8];
  int length;
};
__constant__ Taps kernel_taps;
__global__ void convolved(const float* in, float* out) {
  float sum = 0;
  for (int i = 0; i < kernel_taps.length + 8; ++i)
    sum += in[index() + i] * kernel_taps.row[i % 4][(i + lane()) % 8];
  out[index()] = sum;
}

// ---- Shared memory ----

template <typename T>
__global__ void shared_pairs(T* out) {
  __shared__ T cells[threads];
  volatile T* const seen = cells;
  seen[threadIdx.x].x = lane();
  seen[threadIdx.x].y = lane() + 1;
  __syncthreads();
  T value;
  value.x = seen[threadIdx.x ^ 1].x;
  value.y = seen[threadIdx.x ^ 2].y;
  out[index()] = value;
}
__global__ void shared_threes(float3* out) {
  __shared__ float3 cells[threads];
  cells[threadIdx.x] = make_float3(lane(), 1, 2);
  __syncthreads();
  out[index()] = cells[threads - 1 - threadIdx.x];
}
__global__ void shared_shorts(short* out) {
  __shared__ volatile short cells[threads * 3];
  cells[threadIdx.x * 3] = static_cast<short>(lane());
  __syncthreads();
  out[index()] = cells[(threads - 1 - threadIdx.x) * 3];
}
__global__ void some_of_shared(float* out) {  // a third of the lanes, all in two banks
  __shared__ volatile float cells[threads * 16];
  if (lane() % 3 == 0) cells[threadIdx.x * 16] = lane();
  __syncthreads();
  if (lane() % 3 == 0) out[index()] = cells[(threads - 1 - threadIdx.x) / 3 * 48];
}
__global__ void stencil(const float* in,
                        float* out) {  // with one cell of its neighbours on each side
  __shared__ float cells[threads + 2];
  cells[threadIdx.x + 1] = in[index() + 1];
  if (threadIdx.x == 0) cells[0] = in[index()];
  if (threadIdx.x == threads - 1) cells[threads + 1] = in[index() + 2];
  __syncthreads();
  out[index()] = cells[threadIdx.x] + cells[threadIdx.x + 1] + cells[threadIdx.x + 2];
}
__global__ void prefix_sums(const int* in, int* out) {
  __shared__ int cells[2][threads];
  int now = 0;
  cells[0][threadIdx.x] = in[index()];
  __syncthreads();
#pragma unroll 1
  for (int step = 1; step < threads; step *= 2) {
    int sum = cells[now][threadIdx.x];
    if (threadIdx.x >= step) sum += cells[now][threadIdx.x - step];
    cells[now ^= 1][threadIdx.x] = sum;
    __syncthreads();
  }
  out[index()] = cells[now][threadIdx.x];
}

// ---- Exchanges within a warp ----

__global__ void butterfly(const int* in, int* out) {
  int sum = in[index()];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  out[index()] = sum;
}
__global__ void votes(const int* in, int* out) {
  const int v = in[index()];
  const unsigned some = __ballot_sync(~0u, v % 3 == 0);
  out[index()] = static_cast<int>(some) + __any_sync(~0u, v > 5) + __all_sync(~0u, v > 7);
}
__global__ void matched(const int* in, int* out) {
  out[index()] = static_cast<int>(__match_any_sync(~0u, in[index()] % 4));
}
__global__ void reduced(const unsigned* in, unsigned* out) {
  const unsigned v = in[index()];
  out[index()] = __reduce_add_sync(~0u, v) + __reduce_max_sync(~0u, v);
}
__global__ void exchanged_by_some(const double* in, double* out) {
  double v = in[index()];
  if (lane() < 12) v += __shfl_sync(0xfffu, v, (lane() + 1) % 12);
  out[index()] = v;
}
__global__ void counted_by_block(const int* in, int* out) {
  const int n = __syncthreads_count(in[index()] % 2);
  if (threadIdx.x == 0) out[blockIdx.x] = n;
}

// ---- Atomics ----

__global__ void add_doubles(double* out) { atomicAdd(out + index() % 40, 1.5); }
__global__ void add_pairs_of_halves(__half2* out) {
  atomicAdd(out + index(), __float2half2_rn(1.0f));
}
__global__ void least_of_longs(unsigned long long* out) {
  atomicMin(out + lane() / 8, 1ull << lane());
}
__global__ void wrapped(unsigned* out) { out[1000 + index()] = atomicInc(out + lane() % 4, 7); }
__global__ void add_in_branch(int* out) {
  if (lane() % 2) atomicAdd(out + lane(), 1);
}
__global__ void count_in_branch(int* out) {
  if (lane() % 3 == 0) atomicAdd(out, 1);
}
__global__ void add_on_two_ways(int* out) {
  if (lane() < 10)
    atomicAdd(out + index(), lane());
  else
    atomicMax(out + 2 * index(), lane());
}
__global__ void add_in_loop(int* out) {
#pragma unroll 1
  for (int i = 0; i < lane() % 4; ++i) atomicAdd(out + i * 32 + lane() / 2, i + 1);
}
__global__ void compared_in_loop(float* out) {  // a product, by compare-and-swap, of one's own
  int* at = reinterpret_cast<int*>(out) + index();
  int seen = *at, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(at, assumed, __float_as_int(__int_as_float(assumed) * 2 + 1));
  } while (assumed != seen);
}
__global__ void shared_largest(int* out) {
  __shared__ int cells[8];
  if (threadIdx.x < 8) cells[threadIdx.x] = 0;
  __syncthreads();
  atomicMax(&cells[lane() % 8], lane());
  __syncthreads();
  if (threadIdx.x < 8) out[blockIdx.x * 8 + threadIdx.x] = cells[threadIdx.x];
}
__global__ void shared_exchanged(int* out) {
  __shared__ int cells[threads];
  cells[threadIdx.x] = lane();
  __syncthreads();
  out[index()] = atomicExch(&cells[threads - 1 - threadIdx.x], 5);
}
__global__ void shared_longs(unsigned long long* out) {
  __shared__ unsigned long long cells[threads];
  cells[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&cells[threadIdx.x], 3ull);
  __syncthreads();
  out[index()] = cells[threadIdx.x];
}
__global__ void shared_marks(unsigned* out) {
  __shared__ unsigned cells[3];
  if (threadIdx.x < 3) cells[threadIdx.x] = 0;
  __syncthreads();
  atomicOr(&cells[threadIdx.x / 32], 1u << lane());
  __syncthreads();
  if (threadIdx.x < 3) out[blockIdx.x * 3 + threadIdx.x] = cells[threadIdx.x];
}
__global__ void shared_counts_by_some(int* out) {
  __shared__ int cells[4];
  if (threadIdx.x < 4) cells[threadIdx.x] = 0;
  __syncthreads();
  if (lane() % 2) atomicAdd(&cells[lane() % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) out[blockIdx.x * 4 + threadIdx.x] = cells[threadIdx.x];
}

inline void launch_shapes(void* in, void* out, const int* at) {
  const float* fi = static_cast<float*>(in);
  float* fo = static_cast<float*>(out);
  const int* ii = static_cast<int*>(in);
  int* io = static_cast<int*>(out);
#define MOVED(type) \
  launch("moved<" #type ">", moved<type>, static_cast<const type*>(in), static_cast<type*>(out))
  launch_as(3, 100, "copied_by_all", copied_by_all, fi, fo);
  launch_as(2, 33, "copied_by_all", copied_by_all, fi, fo);
  launch_as(4, 5, "copied_by_all", copied_by_all, fi, fo);
  launch_as(1, 1, "copied_by_all", copied_by_all, fi, fo);
  launch_as({2, 2}, {7, 9}, "copied_by_all", copied_by_all, fi, fo);
  launch_as(2, {4, 3, 5}, "copied_by_all", copied_by_all, fi, fo);
  launch_as({3, 2}, {16, 16}, "image", image, fi, fo, 45, 30);
  launch_as({3, 2}, {17, 9}, "image", image, fi, fo, 45, 18);
  launch_as({2, 2}, {32, 4}, "image", image, fi, fo, 50, 7);
  launch_as({3, 2}, {16, 16}, "image_by_columns", image_by_columns, fi, fo, 45, 30);
  launch_as(1, {13, 11}, "odd_tile", odd_tile, fi, fo);
  launch_as(1, {16, 16}, "odd_tile", odd_tile, fi, fo);
  launch("first_warp", first_warp, fi, fo);
  launch("one_warp_late", one_warp_late, fi, fo);
  launch("one_thread", one_thread, fi, fo);
  launch("never", never, fi, fo, 1000);
  launch("by_value", by_value, at, fi, fo);
  MOVED(double2);
  MOVED(int3);
  MOVED(double3);
  MOVED(short4);
  MOVED(Bytes3);
  MOVED(Shorts3);
  MOVED(Mixed);
  MOVED(Misplaced);
  MOVED(Sixteen);
  MOVED(bool);
  MOVED(long long);
  launch("pair_inside", pair_inside, static_cast<const Misplaced*>(in), static_cast<float2*>(out));
  launch("half_axpy", half_axpy, static_cast<const __half2*>(in), static_cast<__half2*>(out));
  launch("single_halves", single_halves, static_cast<const half*>(in), static_cast<half*>(out));
  launch("through_cache<float>", through_cache<float>, fi, fo);
  launch("through_cache<float4>", through_cache<float4>, static_cast<const float4*>(in),
         static_cast<float4*>(out));
  launch("streamed", streamed, static_cast<const float4*>(in), static_cast<float4*>(out));
  launch("around_cache", around_cache, fi, fo);
  launch("volatile_twice", volatile_twice, fi, fo);
  launch("words_of_bytes", words_of_bytes, static_cast<const unsigned char*>(in), io);
  launch("unrolled", unrolled, fi, fo);
  launch("either_space", either_space, fi, fo, 0);
  launch("either_space", either_space, fi, fo, 1);
  launch("local_stack<int, 64>", local_stack<int, 64>, at, io);
  launch("local_stack<double, 40>", local_stack<double, 40>, at, static_cast<double*>(out));
  launch("local_stack<short, 96>", local_stack<short, 96>, at, static_cast<short*>(out));
  launch("convolved", convolved, fi, fo);
  launch("shared_pairs<int2>", shared_pairs<int2>, static_cast<int2*>(out));
  launch("shared_pairs<double2>", shared_pairs<double2>, static_cast<double2*>(out));
  launch("shared_threes", shared_threes, static_cast<float3*>(out));
  launch("shared_shorts", shared_shorts, static_cast<short*>(out));
  launch("some_of_shared", some_of_shared, fo);
  launch("stencil", stencil, fi, fo);
  launch("prefix_sums", prefix_sums, ii, io);
  launch("butterfly", butterfly, ii, io);
  launch("votes", votes, ii, io);
  launch("matched", matched, at, io);
  launch("reduced", reduced, static_cast<const unsigned*>(in), static_cast<unsigned*>(out));
  launch("exchanged_by_some", exchanged_by_some, static_cast<const double*>(in),
         static_cast<double*>(out));
  launch("counted_by_block", counted_by_block, at, io);
  launch("add_doubles", add_doubles, static_cast<double*>(out));
  launch("add_pairs_of_halves", add_pairs_of_halves, static_cast<__half2*>(out));
  launch("least_of_longs", least_of_longs, static_cast<unsigned long long*>(out));
  launch("wrapped", wrapped, static_cast<unsigned*>(out));
  launch("add_in_branch", add_in_branch, io);
  launch("count_in_branch", count_in_branch, io);
  launch("add_on_two_ways", add_on_two_ways, io);
  launch("add_in_loop", add_in_loop, io);
  cudaMemset(out, 0, 4 * count);
  launch("compared_in_loop", compared_in_loop, fo);
  launch("shared_largest", shared_largest, io);
  launch("shared_exchanged", shared_exchanged, io);
  launch("shared_longs", shared_longs, static_cast<unsigned long long*>(out));
  launch("shared_marks", shared_marks, static_cast<unsigned*>(out));
  launch("shared_counts_by_some", shared_counts_by_some, io);
#undef MOVED
}
