// What the kernels of generate.py start from, and the program that runs them.
//
// A kernel's variables start as a hash of its thread's number; what they end as is written out,
// word by word. drive() prints for each kernel its number and a hash of all that it wrote.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <vector>

constexpr unsigned blocks = 3, most_threads = 128;

struct Counts {
  unsigned narrow[6];
  unsigned long long wide[3];
};
struct Cells {
  Counts counts;
  unsigned words[most_threads];
  unsigned long long longs[most_threads];
  float floats[most_threads];
};
struct Global {
  Counts counts;
};
struct Output {  // of one thread; no padding, because every byte is hashed
  unsigned u[5];
  float f[3];
  unsigned scratch[8];
  unsigned long long w[2];
  double d[2];
  Counts counts;  // the block's
};

// ---- What expressions call ----

__device__ inline __half2 half_of_bits(unsigned x) { return *reinterpret_cast<__half2*>(&x); }
__device__ inline unsigned bits_of(__half2 x) { return *reinterpret_cast<unsigned*>(&x); }
__device__ inline __nv_bfloat162 bfloat_of_bits(unsigned x) {
  return *reinterpret_cast<__nv_bfloat162*>(&x);
}
__device__ inline unsigned bits_of(__nv_bfloat162 x) { return *reinterpret_cast<unsigned*>(&x); }

__device__ inline unsigned half_add(unsigned a, unsigned b) {
  return bits_of(__hadd2_rn(half_of_bits(a), half_of_bits(b)));
}
__device__ inline unsigned half_mul(unsigned a, unsigned b) {
  return bits_of(__hmul2_rn(half_of_bits(a), half_of_bits(b)));
}
__device__ inline unsigned half_fma(unsigned a, unsigned b, unsigned c) {
  return bits_of(__hfma2(half_of_bits(a), half_of_bits(b), half_of_bits(c)));
}
__device__ inline unsigned half_max(unsigned a, unsigned b) {
  return bits_of(__hmax2(half_of_bits(a), half_of_bits(b)));
}
__device__ inline unsigned half_less(unsigned a, unsigned b) {
  return __hlt2_mask(half_of_bits(a), half_of_bits(b));
}
__device__ inline unsigned bfloat_fma(unsigned a, unsigned b, unsigned c) {
  return bits_of(__hfma2(bfloat_of_bits(a), bfloat_of_bits(b), bfloat_of_bits(c)));
}
__device__ inline unsigned bfloat_mul(unsigned a, unsigned b) {
  return bits_of(__hmul2_rn(bfloat_of_bits(a), bfloat_of_bits(b)));
}
__device__ inline unsigned half_sub(unsigned a, unsigned b) {
  return bits_of(__hsub2_rn(half_of_bits(a), half_of_bits(b)));
}
__device__ inline unsigned half_add_sat(unsigned a, unsigned b) {
  return bits_of(__hadd2_sat(half_of_bits(a), half_of_bits(b)));
}
__device__ inline unsigned half_min(unsigned a, unsigned b) {
  return bits_of(__hmin2(half_of_bits(a), half_of_bits(b)));
}
__device__ inline unsigned half_abs(unsigned a) { return bits_of(__habs2(half_of_bits(a))); }
__device__ inline unsigned half_equal(unsigned a, unsigned b) {
  return __heq2_mask(half_of_bits(a), half_of_bits(b));
}
__device__ inline unsigned bfloat_add(unsigned a, unsigned b) {
  return bits_of(__hadd2_rn(bfloat_of_bits(a), bfloat_of_bits(b)));
}
__device__ inline unsigned bfloat_max(unsigned a, unsigned b) {
  return bits_of(__hmax2(bfloat_of_bits(a), bfloat_of_bits(b)));
}
__device__ inline unsigned whole_half(unsigned x) {
  return static_cast<unsigned>(__half2int_rz(__low2half(half_of_bits(x))));
}
__device__ inline float high_half(unsigned x) { return __high2float(half_of_bits(x)); }
__device__ inline unsigned half_of(float x) { return bits_of(__float2half2_rn(x)); }
__device__ inline unsigned bfloat_of(float x) { return bits_of(__float2bfloat162_rn(x)); }
__device__ inline float low_half(unsigned x) { return __low2float(half_of_bits(x)); }
__device__ inline float low_bfloat(unsigned x) { return __low2float(bfloat_of_bits(x)); }

// Of two NaNs an operation hands one on, and which one depends on how ptxas orders its operands (in
// machine code it is the second, then the third, then the first). So there is one NaN here.
__device__ inline double one_nan(double x) {
  return x == x ? x : __longlong_as_double(0x7ff8000000000000);
}

__host__ __device__ inline unsigned scramble(unsigned x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}
__device__ __noinline__ unsigned mix(unsigned a, unsigned b) {
  return a < b ? scramble(a) + b : scramble(b) ^ a;
}
__device__ __noinline__ unsigned recurse(unsigned x, unsigned depth) {
  return depth == 0 ? x : x & 1 ? recurse(scramble(x), depth - 1) + x : recurse(x + 7, depth - 1);
}
__device__ __noinline__ unsigned sum_of(unsigned a, unsigned b) { return a + b; }
__device__ __noinline__ unsigned rotated(unsigned a, unsigned b) {
  return __funnelshift_l(a, a, b);
}
__device__ __noinline__ unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }
__device__ unsigned long long wide_high(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b + a) >> 64);
}
__device__ unsigned long long half_sum(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) + b) >> 1);
}
// Three calls deep, with an array of the caller's.
__device__ __noinline__ unsigned turned(unsigned* cells, unsigned by) {
  const unsigned kept = cells[by & 7];
  cells[by & 7] = cells[by >> 3 & 7] + by;
  return kept;
}
struct Parts {
  unsigned long long high;
  unsigned low, more;
};
__device__ __noinline__ Parts parted(unsigned* cells, unsigned long long x) {
  const unsigned one = turned(cells, static_cast<unsigned>(x));
  return {x * 5 + one, mix(one, static_cast<unsigned>(x >> 32)), one & 3};
}
__device__ __noinline__ unsigned long long nested(unsigned* cells, unsigned long long x,
                                                  unsigned trips) {
  for (unsigned i = 0; i < trips; ++i) {
    const Parts p = parted(cells, x);
    x = p.high ^ p.low << p.more;
  }
  return x;
}
// A jump by a table, which the compiler makes of no switch here.
__device__ __noinline__ unsigned jumped(unsigned a, unsigned way) {
  unsigned result = way;
  asm("{\n"
      "  ways: .branchtargets first, second, third, fourth;\n"
      "  brx.idx %2, ways;\n"
      "first:  mad.lo.u32 %0, %1, 5, %0; bra.uni done;\n"
      "second: xor.b32 %0, %1, 0x55aa; bra.uni done;\n"
      "third:  sub.u32 %0, %1, %0;\n"  // and goes on
      "fourth: brev.b32 %0, %0;\n"
      "done:\n"
      "}"
      : "+r"(result)
      : "r"(a), "r"(way & 3));
  return result;
}
// Barriers that some of a block's warps have for themselves.
__device__ inline void named_barrier(int name, int warps) {
  asm volatile("bar.sync %0, %1;" ::"r"(name), "r"(32 * warps) : "memory");
}
__device__ inline void pass_barrier(int name, int warps) {
  asm volatile("bar.arrive %0, %1;" ::"r"(name), "r"(32 * warps) : "memory");
}
__device__ unsigned (*const operations[])(unsigned, unsigned) = {sum_of, rotated, larger, mix};

// Floats start in a range where arithmetic is lively, and now and then as any bits at all.
__device__ inline float starting_float(unsigned x) {
  return (x & 7) == 0 ? __uint_as_float(scramble(x)) : static_cast<int>(scramble(x)) * 0x1p-20f;
}
__device__ inline double starting_double(unsigned x) {
  return (x & 7) == 0 ? __hiloint2double(static_cast<int>(scramble(x)), static_cast<int>(x))
                      : static_cast<int>(scramble(x)) * 0x1p-16;
}

// ---- The frame of a kernel ----

#define Arguments unsigned parameter, Global *global, Output *output

#define OPEN                                                                              \
  __shared__ Cells cells;                                                                 \
  if (threadIdx.x == 0) cells.counts = Counts{};                                          \
  __syncthreads();                                                                        \
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32; \
  const unsigned start = scramble(thread * 64 + parameter);                               \
  unsigned u0 = lane, u1 = thread, u2 = start, u3 = scramble(start + 1), u4 = parameter;  \
  unsigned long long w0 = start * 0x9e3779b97f4a7c15ull, w1 = thread;                     \
  float f0 = starting_float(start + 2), f1 = lane, f2 = starting_float(start + 3);        \
  double d0 = starting_double(start + 4), d1 = starting_double(start + 5);                \
  unsigned scratch[8] = {start, lane, 2, 3, thread, 5, 6, 7};                             \
  unsigned long long pile[4] = {w0, 1, 2, start};                                         \
  unsigned char bytes[16] = {1, 2, 3, static_cast<unsigned char>(thread)};

#define CLOSE                                                                           \
  for (int i = 0; i < 4; ++i) w1 ^= pile[i] * (2 * i + 1);                              \
  for (int i = 0; i < 16; ++i) u4 += bytes[i] << i;                                     \
  __syncthreads();                                                                      \
  output[thread] =                                                                      \
      Output{{u0, u1, u2, u3, u4}, {f0, f1, f2}, {}, {w0, w1}, {d0, d1}, cells.counts}; \
  for (int i = 0; i < 8; ++i) output[thread].scratch[i] = scratch[i];

// ---- The program ----

struct Entry {
  unsigned number;
  void (*kernel)(Arguments);
  unsigned threads;
};

inline void must(cudaError_t error, unsigned number) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "kernel %u: %s\n", number, cudaGetErrorString(error));
  std::exit(1);
}

inline int drive(const Entry* entries, std::size_t count) {
  Output* output;
  Global* global;
  must(cudaMalloc(&output, blocks * most_threads * sizeof(Output)), 0);
  must(cudaMalloc(&global, sizeof(Global)), 0);
  for (const Entry* entry = entries; entry != entries + count; ++entry) {
    std::vector<Output> written(blocks * entry->threads);
    const std::size_t bytes = written.size() * sizeof(Output);
    must(cudaMemset(output, 0, bytes), entry->number);
    must(cudaMemset(global, 0, sizeof(Global)), entry->number);
    entry->kernel<<<blocks, entry->threads>>>(entry->number, global, output);
    must(cudaGetLastError(), entry->number);
    must(cudaMemcpy(written.data(), output, bytes, cudaMemcpyDeviceToHost), entry->number);
    Global totals;
    must(cudaMemcpy(&totals, global, sizeof totals, cudaMemcpyDeviceToHost), entry->number);
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    const auto add = [&](const void* data, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i) {
        hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
      }
    };
    add(written.data(), bytes);
    add(&totals, sizeof totals);
    std::printf("%u %016llx\n", entry->number, static_cast<unsigned long long>(hash));
  }
  return 0;
}
