// Small kernels whose traffic is known from a real GPU: counted.txt, as Nsight Compute counted it.
//
// Each kernel makes one shape of access or divergence and reads like a line of the chapters. Launch
// n of the program is line n of what it prints. To record again, on a machine with a GPU, from this
// folder (record_counted.py turns Nsight Compute's output into the table):
//
//   nvcc -std=c++20 -gencode arch=compute_80,code=sm_90 -lineinfo counted_kernels.cu -o counted
//   ./counted > names
//   ncu --csv --page raw --metrics $(python3 record_counted.py metrics) ./counted > counted.csv
//   python3 record_counted.py table names counted.csv > counted.txt

#include <cstdlib>
#include <vector>

#include "counted_copies.cuh"
#include "counted_frame.cuh"
#include "counted_images.cuh"
#include "counted_matrices.cuh"
#include "counted_shapes.cuh"

struct Three {
  float x, y, z;
};
struct Four {
  float x, y, z, w;
};
struct Five {
  float x, y, z, w, v;
};
struct alignas(16) Aligned {
  float x, y, z, w;
};

// ---- Widths and alignments ----

template <typename T>
__global__ void copy(const T* in, T* out) {
  out[index()] = in[index()];
}
template <int Offset>
__global__ void shifted_load(const float* in, float* out) {
  out[index()] = in[index() + Offset];
}
template <int Offset>
__global__ void shifted_store(const float* in, float* out) {
  out[index() + Offset] = in[index()];
}
__global__ void shifted_pairs(const float2* in, float2* out) { out[index() + 1] = in[index() + 3]; }
__global__ void shifted_bytes(const char* in, char* out) { out[index() + 5] = in[index() + 31]; }

// ---- Strides and patterns ----

template <int Stride>
__global__ void strided_load(const float* in, float* out) {
  out[index()] = in[index() * Stride];
}
template <int Stride>
__global__ void strided_store(const float* in, float* out) {
  out[index() * Stride] = in[index()];
}
__global__ void strided_double(const double* in, double* out) { out[index()] = in[index() * 2]; }
__global__ void strided_quads(const float4* in, float4* out) { out[index()] = in[index() * 2]; }
__global__ void reversed(const float* in, float* out) { out[index()] = in[count - 1 - index()]; }
__global__ void swapped_pairs(const float* in, float* out) { out[index() ^ 1] = in[index()]; }
__global__ void one_for_all(const float* in, float* out) { out[index()] = in[7]; }
__global__ void one_per_warp(const float* in, float* out) { out[index()] = in[index() / 32 * 100]; }
__global__ void one_per_quad(const float* in, float* out) { out[index()] = in[index() / 4]; }
__global__ void gathered(const int* at, const float* in, float* out) {
  out[index()] = in[at[index()]];
}
__global__ void scattered(const int* at, const float* in, float* out) {
  out[at[index()]] = in[index()];
}
__global__ void same_place(float* out) { out[blockIdx.x] = static_cast<float>(lane()); }

template <typename T>
__global__ void one_member(const T* in, float* out) {
  out[index()] = in[index()].y;
}
template <typename T>
__global__ void whole_struct(const T* in, T* out) {
  out[index()] = in[index()];
}
__global__ void rows(const float* in, float* out) {  // a thread walks along its row
  float sum = 0;
  for (int i = 0; i < 40; ++i) sum += in[index() * 40 + i];
  out[index()] = sum;
}
__global__ void columns(const float* in, float* out) {  // a thread walks down its column
  float sum = 0;
  for (int i = 0; i < 40; ++i) sum += in[i * count + index()];
  out[index()] = sum;
}
__global__ void grid_stride(const float* in, float* out, int n) {
  for (int i = index(); i < n; i += count) out[i] = 2 * in[i];
}
__global__ void transposed(const float* in, float* out) {  // 32 × 9 blocks' worth of a matrix
  const int x = index() % 32, y = index() / 32;
  out[x * (count / 32) + y] = in[y * 32 + x];
}
__global__ void in_place(float* data) { data[index()] += 1; }
__global__ void read_only(const float* __restrict__ in, float* __restrict__ out) {
  out[index()] = in[index()] + in[index() + 1];
}

// ---- Partial masks ----

__global__ void guarded(const float* in, float* out, int n) {
  if (index() < n) out[index()] = in[index()];
}
__global__ void odd_lanes(const float* in, float* out) {
  if (lane() % 2) out[index()] = in[index()];
}
__global__ void half_warp(const float* in, float* out) {
  if (lane() < 16) out[index()] = in[index()];
}
__global__ void first_lane(const float* in, float* out) {
  if (lane() == 0) out[index()] = in[index()];
}
__global__ void some_lanes(const float* in, float* out, unsigned lanes) {
  if (lanes >> lane() & 1) out[index()] = in[index() * 8];
}

// ---- Divergence and loops ----

__global__ void two_ways(const float* in, float* out) {
  if (lane() % 2)
    out[index()] = in[index()] * 2;
  else
    out[index() + count] = in[index() + 2 * count] + 1;
}
__global__ void four_ways(const float* in, float* out) {
  switch (lane() % 4) {
    case 0: out[index()] = in[index()]; break;
    case 1: out[index() * 2] = in[index()]; break;
    case 2: out[index()] = in[index() * 3]; break;
    default: out[index() * 4] = 1;
  }
}
__global__ void nested(const float* in, float* out) {
  if (lane() < 20) {
    if (lane() % 3) out[index()] = in[index()];
    out[index() + count] = in[index() * 2];
  }
}
__global__ void uniform_branch(const float* in, float* out) {
  if (threadIdx.x / 32 == 1)
    out[index()] = in[index() * 2];
  else
    out[index() * 2] = in[index()];
}
__global__ void own_trips(const float* in,
                          float* out) {  // a lane makes as many trips as its number
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < lane(); ++i) sum += in[i * count + index()];
  out[index()] = sum;
}
__global__ void early_exit(const float* in, float* out) {
  if (lane() > 22) return;
  out[index()] = in[index()];
}
__global__ void left_loop(const float* in, float* out) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 20; ++i) {
    if (i == lane()) break;
    sum += in[i * 32 + lane()];
  }
  out[index()] = sum;
}
__device__ __noinline__ float called(const float* at) { return at[3]; }
__global__ void call(const float* in, float* out) {
  out[index()] = lane() % 2 ? called(in + index()) : 1.0f;
}

// ---- Atomics ----

__global__ void add_to_one(int* out) { atomicAdd(out, lane() + 1); }
__global__ void count_in_one(int* out) { atomicAdd(out, 1); }
__global__ void count_in_block(int* out) { atomicAdd(out + blockIdx.x * 100, 2); }
__global__ void largest_of_all(int* out) { atomicMax(out, index()); }
__global__ void floats_to_one(float* out) { atomicAdd(out, 1.0f); }
__global__ void longs_to_one(unsigned long long* out) { atomicAdd(out, 1ull); }
__global__ void ticket_of_one(int* out) { out[1000 + index()] = atomicAdd(out, 1) > 0; }
__global__ void marks_of_all(unsigned* out) { atomicOr(out, 1u << lane()); }
__global__ void own_tickets(int* out) { out[1000 + index()] = atomicAdd(out, lane()) > 0; }
__global__ void own_longs_to_one(unsigned long long* out) { atomicAdd(out, 1ull << lane()); }
__global__ void largest_long(unsigned long long* out) { atomicMax(out, 1ull << lane()); }
__global__ void add_to_own(int* out) { atomicAdd(out + index(), 1); }
__global__ void add_to_eight(int* out) { atomicAdd(out + lane() % 8, lane()); }
__global__ void add_strided(int* out) { atomicAdd(out + index() * 8, 1); }
__global__ void ticket(int* out) { out[1000 + index()] = atomicAdd(out + index(), 1); }
__global__ void add_floats(float* out) { atomicAdd(out + lane(), 1.0f); }
__global__ void add_longs(unsigned long long* out) { atomicAdd(out + index(), 1ull); }
__global__ void largest(int* out) { atomicMax(out + lane() / 4, index()); }
__global__ void swapped(int* out) { out[1000 + index()] = atomicCAS(out + index(), 0, index()); }
__global__ void exchanged(int* out) { out[1000 + index()] = atomicExch(out + index() * 3, 5); }

// ---- Shared memory ----

template <typename T, int Stride>
__global__ void shared_stride(T* out) {
  __shared__ T cells[threads * Stride];
  volatile T* const seen = cells;
  seen[threadIdx.x * Stride] = static_cast<T>(lane());
  __syncthreads();
  out[index()] = seen[(threads - 1 - threadIdx.x) * Stride];
}
__global__ void shared_quads(float4* out) {
  __shared__ float4 cells[threads];
  cells[threadIdx.x] = float4{1, 2, 3, static_cast<float>(lane())};
  __syncthreads();
  out[index()] = cells[threads - 1 - threadIdx.x];
}
__global__ void shared_quads_apart(float4* out) {
  __shared__ float4 cells[threads * 2];
  cells[threadIdx.x * 2] = float4{1, 2, 3, static_cast<float>(lane())};
  __syncthreads();
  out[index()] = cells[(threads - 1 - threadIdx.x) * 2];
}
__global__ void shared_for_all(float* out) {
  __shared__ float cell;
  if (threadIdx.x == 0) cell = 3;
  __syncthreads();
  out[index()] = cell;
}
template <int Pitch>
__global__ void tile(const float* in, float* out) {  // blocks of 32 × 8
  __shared__ float cells[32][Pitch];
  for (int y = threadIdx.y; y < 32; y += 8) cells[y][threadIdx.x] = in[y * 32 + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) out[y * 32 + threadIdx.x] = cells[threadIdx.x][y];
}
__global__ void interleaved_sum(const float* in, float* out) {
  __shared__ float cells[128];
  cells[threadIdx.x] = in[threadIdx.x];
#pragma unroll 1
  for (unsigned step = 1; step < 128; step *= 2) {
    __syncthreads();
    const unsigned at = 2 * step * threadIdx.x;
    if (at < 128) cells[at] += cells[at + step];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = cells[0];
}
__global__ void sequential_sum(const float* in, float* out) {
  __shared__ float cells[128];
  cells[threadIdx.x] = in[threadIdx.x];
#pragma unroll 1
  for (unsigned step = 64; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) cells[threadIdx.x] += cells[threadIdx.x + step];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = cells[0];
}
__global__ void shared_histogram(const int* at, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[at[index()] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

enum Addend { one, two, own, minus_one };
template <Addend What, int Stride, int Cells>
__global__ void shared_adds(int* out) {
  __shared__ int cells[Stride * Cells];
  for (int i = threadIdx.x; i < Stride * Cells; i += threads) cells[i] = 0;
  __syncthreads();
  atomicAdd(&cells[lane() % Cells * Stride], What == one   ? 1
                                             : What == two ? 2
                                             : What == own ? lane()
                                                           : -1);
  __syncthreads();
  out[index()] = cells[lane() % Cells * Stride];
}
__global__ void shared_tickets(int* out) {
  __shared__ int cell;
  if (threadIdx.x == 0) cell = 0;
  __syncthreads();
  out[index()] = atomicAdd(&cell, 1) > 0;
}

// ---- Local and constant memory ----

__global__ void local_array(const int* at, float* out) {
  float mine[16];
  for (int i = 0; i < 16; ++i) mine[i] = static_cast<float>(i * lane());
  mine[at[index()] % 16] = 7;
  out[index()] = mine[at[index() + 1] % 16];
}
__global__ void long_local_array(const int* at, float* out) {
  float mine[200];
  for (int i = 0; i < 200; ++i) mine[i] = static_cast<float>(i * lane());
  for (int i = 0; i < 3; ++i) mine[(at[index()] + i * 7) % 200] = 7;
  out[index()] = mine[at[index() + 1] % 200];
}
__constant__ float taps[64];
__global__ void same_tap(float* out) { out[index()] = taps[blockIdx.x]; }
__global__ void own_tap(float* out) { out[index()] = taps[lane()]; }

// ---- Exchanges within a warp ----

__global__ void warp_sum(const float* in, float* out) {
  float sum = in[index()];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (lane() == 0) out[index() / 32] = sum;
}
__global__ void compacted(const int* at, int* out) {
  const bool keep = at[index()] % 3 == 0;
  const unsigned kept = __ballot_sync(~0u, keep);
  int first = 0;
  if (lane() == 0) first = atomicAdd(out, __popc(kept));
  first = __shfl_sync(~0u, first, 0);
  if (keep) out[1 + first + __popc(kept & ((1u << lane()) - 1))] = at[index()];
}

// ---- The program ----

#define LAUNCH(kernel, ...) launch(#kernel, kernel, __VA_ARGS__)

int main() {
  constexpr std::size_t bytes = 1 << 20;
  void *in, *out;
  int* at;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMalloc(&at, bytes);
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 0, bytes);
  std::vector<int> places(bytes / 4);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i * 7919 % 997);
  cudaMemcpy(at, places.data(), bytes, cudaMemcpyHostToDevice);
  const float* fi = static_cast<float*>(in);
  float* fo = static_cast<float*>(out);
  int* io = static_cast<int*>(out);
#define BOTH(type) static_cast<const type*>(in), static_cast<type*>(out)

  LAUNCH(copy<char>, BOTH(char));
  LAUNCH(copy<short>, BOTH(short));
  LAUNCH(copy<float>, fi, fo);
  LAUNCH(copy<double>, BOTH(double));
  LAUNCH(copy<float2>, BOTH(float2));
  LAUNCH(copy<float4>, BOTH(float4));
  LAUNCH(copy<uchar4>, BOTH(uchar4));
  LAUNCH(shifted_load<1>, fi, fo);
  LAUNCH(shifted_load<4>, fi, fo);
  LAUNCH(shifted_load<8>, fi, fo);
  LAUNCH(shifted_store<1>, fi, fo);
  LAUNCH(shifted_store<5>, fi, fo);
  LAUNCH(shifted_pairs, BOTH(float2));
  LAUNCH(shifted_bytes, BOTH(char));
  LAUNCH(strided_load<2>, fi, fo);
  LAUNCH(strided_load<3>, fi, fo);
  LAUNCH(strided_load<4>, fi, fo);
  LAUNCH(strided_load<8>, fi, fo);
  LAUNCH(strided_load<32>, fi, fo);
  LAUNCH(strided_load<33>, fi, fo);
  LAUNCH(strided_store<2>, fi, fo);
  LAUNCH(strided_store<8>, fi, fo);
  LAUNCH(strided_store<33>, fi, fo);
  LAUNCH(strided_double, BOTH(double));
  LAUNCH(strided_quads, BOTH(float4));
  LAUNCH(reversed, fi, fo);
  LAUNCH(swapped_pairs, fi, fo);
  LAUNCH(one_for_all, fi, fo);
  LAUNCH(one_per_warp, fi, fo);
  LAUNCH(one_per_quad, fi, fo);
  LAUNCH(gathered, at, fi, fo);
  LAUNCH(scattered, at, fi, fo);
  LAUNCH(same_place, fo);
  LAUNCH(one_member<Three>, static_cast<const Three*>(in), fo);
  LAUNCH(one_member<Four>, static_cast<const Four*>(in), fo);
  LAUNCH(one_member<Five>, static_cast<const Five*>(in), fo);
  LAUNCH(whole_struct<Three>, BOTH(Three));
  LAUNCH(whole_struct<Four>, BOTH(Four));
  LAUNCH(whole_struct<Aligned>, BOTH(Aligned));
  LAUNCH(rows, fi, fo);
  LAUNCH(columns, fi, fo);
  LAUNCH(grid_stride, fi, fo, 1000);
  LAUNCH(transposed, fi, fo);
  LAUNCH(in_place, fo);
  LAUNCH(read_only, fi, fo);
  LAUNCH(guarded, fi, fo, 200);
  LAUNCH(odd_lanes, fi, fo);
  LAUNCH(half_warp, fi, fo);
  LAUNCH(first_lane, fi, fo);
  LAUNCH(some_lanes, fi, fo, 0x80f010c1u);
  LAUNCH(two_ways, fi, fo);
  LAUNCH(four_ways, fi, fo);
  LAUNCH(nested, fi, fo);
  LAUNCH(uniform_branch, fi, fo);
  LAUNCH(own_trips, fi, fo);
  LAUNCH(early_exit, fi, fo);
  LAUNCH(left_loop, fi, fo);
  LAUNCH(call, fi, fo);
  LAUNCH(add_to_one, io);
  LAUNCH(count_in_one, io);
  LAUNCH(count_in_block, io);
  LAUNCH(largest_of_all, io);
  LAUNCH(floats_to_one, fo);
  LAUNCH(longs_to_one, static_cast<unsigned long long*>(out));
  LAUNCH(ticket_of_one, io);
  LAUNCH(marks_of_all, static_cast<unsigned*>(out));
  LAUNCH(own_tickets, io);
  LAUNCH(own_longs_to_one, static_cast<unsigned long long*>(out));
  LAUNCH(largest_long, static_cast<unsigned long long*>(out));
  LAUNCH(add_to_own, io);
  LAUNCH(add_to_eight, io);
  LAUNCH(add_strided, io);
  LAUNCH(ticket, io);
  LAUNCH(add_floats, fo);
  LAUNCH(add_longs, static_cast<unsigned long long*>(out));
  LAUNCH(largest, io);
  LAUNCH(swapped, io);
  LAUNCH(exchanged, io);
  launch("shared_stride<float, 1>", shared_stride<float, 1>, fo);
  launch("shared_stride<float, 2>", shared_stride<float, 2>, fo);
  launch("shared_stride<float, 3>", shared_stride<float, 3>, fo);
  launch("shared_stride<float, 8>", shared_stride<float, 8>, fo);
  launch("shared_stride<float, 32>", shared_stride<float, 32>, fo);
  launch("shared_stride<double, 1>", shared_stride<double, 1>, static_cast<double*>(out));
  launch("shared_stride<double, 2>", shared_stride<double, 2>, static_cast<double*>(out));
  launch("shared_stride<double, 3>", shared_stride<double, 3>, static_cast<double*>(out));
  launch("shared_stride<char, 1>", shared_stride<char, 1>, static_cast<char*>(out));
  LAUNCH(shared_quads, static_cast<float4*>(out));
  LAUNCH(shared_quads_apart, static_cast<float4*>(out));
  LAUNCH(shared_for_all, fo);
  launch_as(1, dim3(32, 8), "tile<32>", tile<32>, fi, fo);
  launch_as(1, dim3(32, 8), "tile<33>", tile<33>, fi, fo);
  launch_as(2, 128, "interleaved_sum", interleaved_sum, fi, fo);
  launch_as(2, 128, "sequential_sum", sequential_sum, fi, fo);
  LAUNCH(shared_histogram, at, io);
  launch("shared_adds<one, 1, 1>", shared_adds<one, 1, 1>, io);
  launch("shared_adds<one, 32, 2>", shared_adds<one, 32, 2>, io);
  launch("shared_adds<one, 32, 32>", shared_adds<one, 32, 32>, io);
  launch("shared_adds<one, 2, 32>", shared_adds<one, 2, 32>, io);
  launch("shared_adds<two, 1, 1>", shared_adds<two, 1, 1>, io);
  launch("shared_adds<own, 1, 1>", shared_adds<own, 1, 1>, io);
  launch("shared_adds<own, 1, 8>", shared_adds<own, 1, 8>, io);
  launch("shared_adds<minus_one, 1, 1>", shared_adds<minus_one, 1, 1>, io);
  launch("shared_adds<minus_one, 1, 4>", shared_adds<minus_one, 1, 4>, io);
  launch("shared_adds<two, 1, 4>", shared_adds<two, 1, 4>, io);
  LAUNCH(shared_tickets, io);
  LAUNCH(local_array, at, fo);
  LAUNCH(long_local_array, at, fo);
  LAUNCH(same_tap, fo);
  LAUNCH(own_tap, fo);
  LAUNCH(warp_sum, fi, fo);
  cudaMemset(out, 0, bytes);
  launch_as(1, 32, "compacted", compacted, at, io);
  cudaMemset(out, 0, bytes);
  launch_copies(in, out);
  launch_matrices(in, out);
  launch_images(in, out);
  launch_shapes(in, out, at);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
