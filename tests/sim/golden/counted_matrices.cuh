// Kernels whose warps work on matrices: wmma between global and shared memory, ldmatrix, and mma.
#pragma once

#include <mma.h>

#include "counted_frame.cuh"

using nvcuda::wmma::accumulator;
using nvcuda::wmma::col_major;
using nvcuda::wmma::matrix_a;
using nvcuda::wmma::matrix_b;
using nvcuda::wmma::row_major;

// A warp multiplies one 16 x 16 tile.
template <typename T, typename Sum, typename OfA, typename OfB>
__global__ void multiplied(const T* a, const T* b, Sum* d, bool columns) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, T, OfA> fa;
  fragment<matrix_b, 16, 16, 16, T, OfB> fb;
  fragment<accumulator, 16, 16, 16, Sum> sum;
  fill_fragment(sum, static_cast<Sum>(0));
  const int tile = index() / 32 * 256;
  load_matrix_sync(fa, a + tile, 16);
  load_matrix_sync(fb, b + tile, 16);
  mma_sync(sum, fa, fb, sum);
  store_matrix_sync(d + tile, sum, 16, columns ? mem_col_major : mem_row_major);
}
// The tiles of a larger matrix, and the sum comes from memory.
template <typename OfB>
__global__ void accumulated(const half* a, const half* b, const float* c, float* d) {
  using namespace nvcuda::wmma;
  constexpr int pitch = 64;
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, OfB> fb;
  fragment<accumulator, 16, 16, 16, float> sum;
  const int first = index() / 32 * 16 * pitch;
  load_matrix_sync(sum, c + first, pitch, mem_row_major);
#pragma unroll 1
  for (int k = 0; k < 64; k += 16) {
    load_matrix_sync(fa, a + first + k, pitch);
    load_matrix_sync(fb, b + k * pitch, pitch);
    mma_sync(sum, fa, fb, sum);
  }
  store_matrix_sync(d + first, sum, pitch, mem_row_major);
}
template <int Pitch, typename OfA, typename OfB>
__global__ void multiplied_in_shared(const half* in, float* d) {
  using namespace nvcuda::wmma;
  __shared__ __align__(32) half tile[2][16 * Pitch];
  for (int i = threadIdx.x; i < 16 * Pitch; i += threads) tile[0][i] = tile[1][i] = in[i];
  __syncthreads();
  fragment<matrix_a, 16, 16, 16, half, OfA> fa;
  fragment<matrix_b, 16, 16, 16, half, OfB> fb;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(fa, tile[0], Pitch);
  load_matrix_sync(fb, tile[1], Pitch);
  mma_sync(sum, fa, fb, sum);
  store_matrix_sync(d + index() / 32 * 256, sum, 16, mem_row_major);
}
__global__ void multiplied_tf32(const float* a, const float* b, float* d) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> fa;
  fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> fb;
  fragment<accumulator, 16, 16, 8, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(fa, a + index() / 32 * 128, 8);
  load_matrix_sync(fb, b, 8);
  mma_sync(sum, fa, fb, sum);
  store_matrix_sync(d + index() / 32 * 256, sum, 16, mem_row_major);
}
__global__ void multiplied_doubles(const double* a, const double* b, double* d) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 8, 8, 4, double, row_major> fa;
  fragment<matrix_b, 8, 8, 4, double, col_major> fb;
  fragment<accumulator, 8, 8, 4, double> sum;
  fill_fragment(sum, 0.0);
  load_matrix_sync(fa, a + index() / 32 * 32, 4);
  load_matrix_sync(fb, b, 4);
  mma_sync(sum, fa, fb, sum);
  store_matrix_sync(d + index() / 32 * 64, sum, 8, mem_row_major);
}

// ldmatrix of `Count` matrices whose rows stand `Pitch` bytes apart.
template <int Count, int Pitch, bool Transposed>
__global__ void rows_of_matrices(unsigned* out) {
  __shared__ __align__(16) unsigned char cells[32 * Pitch];
  for (int i = threadIdx.x; i < 32 * Pitch / 4; i += threads)
    reinterpret_cast<unsigned*>(cells)[i] = i;
  __syncthreads();
  const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(cells)) + lane() * Pitch;
  unsigned r[4] = {};
  if constexpr (Count == 1)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row));
  if constexpr (Count == 2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(row));
  if constexpr (Count == 4 && !Transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
  if constexpr (Count == 4 && Transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
  out[index()] = r[0] + r[1] + r[2] + r[3];
}

enum Product {
  halves,
  floats_of_halves,
  short_halves,
  bfloats,
  bytes,
  short_bytes,
  nibbles,
  bits,
  bits_and,
  tf32,
  short_tf32,
  doubles,
  sparse_halves,
  short_sparse_halves,
  sparse_bytes,
  short_sparse_bytes,
  sparse_nibbles,
  sparse_tf32
};

// Of the products whose sums are two or four registers: with two or four registers of a matrix A,
// and one, two or four of B. The sparse ones take what says where A's numbers belong, too.
#define SUM2 "{%0, %1}"
#define SUM4 "{%0, %1, %2, %3}"
#define MULTIPLY(form, sum, a, b, more)                   \
  asm("mma." form " " sum ", " a ", " b ", " sum more ";" \
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])    \
      : "r"(a0), "r"(a1), "r"(b0), "r"(b1), "r"(0x44444444))
#define A1 "{%4}"
#define A2 "{%4, %5}"
#define A4 "{%4, %5, %4, %5}"
#define B1 "{%6}"
#define B2 "{%6, %7}"
#define B4 "{%6, %7, %6, %7}"
#define SPARSE ", %8, 0"

// Four products in a chain.
template <Product What>
__global__ void products(const unsigned* in, unsigned* out) {
  const unsigned a0 = in[index()], a1 = in[index() + count], b0 = in[index() + 2 * count],
                 b1 = in[index() + 3 * count];
  unsigned d[4] = {};
  double wide[2] = {};
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    if constexpr (What == halves)
      MULTIPLY("sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", SUM2, A4, B2, "");
    if constexpr (What == floats_of_halves)
      MULTIPLY("sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", SUM4, A4, B2, "");
    if constexpr (What == short_halves)
      MULTIPLY("sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", SUM4, A2, B1, "");
    if constexpr (What == bfloats)
      MULTIPLY("sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", SUM4, A4, B2, "");
    if constexpr (What == bytes)
      MULTIPLY("sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", SUM4, A4, B2, "");
    if constexpr (What == short_bytes)
      MULTIPLY("sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", SUM2, A1, B1, "");
    if constexpr (What == nibbles)
      MULTIPLY("sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", SUM4, A4, B2, "");
    if constexpr (What == bits)
      MULTIPLY("sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", SUM4, A4, B2, "");
    if constexpr (What == bits_and)
      MULTIPLY("sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc", SUM4, A2, B1, "");
    if constexpr (What == tf32)
      MULTIPLY("sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", SUM4, A4, B2, "");
    if constexpr (What == short_tf32)
      MULTIPLY("sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", SUM4, A2, B1, "");
    if constexpr (What == doubles)
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
          : "+d"(wide[0]), "+d"(wide[1])
          : "d"(static_cast<double>(a0)), "d"(static_cast<double>(b0)));
    if constexpr (What == sparse_halves)
      MULTIPLY("sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", SUM4, A4, B4,
               SPARSE);
    if constexpr (What == short_sparse_halves)
      MULTIPLY("sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", SUM2, A2, B2,
               SPARSE);
    if constexpr (What == sparse_bytes)
      MULTIPLY("sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", SUM4, A4, B4,
               SPARSE);
    if constexpr (What == short_sparse_bytes)
      MULTIPLY("sp::ordered_metadata.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", SUM4, A2, B2,
               SPARSE);
    if constexpr (What == sparse_nibbles)
      MULTIPLY("sp::ordered_metadata.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32", SUM4, A4, B4,
               SPARSE);
    if constexpr (What == sparse_tf32)
      MULTIPLY("sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", SUM4, A4, B4,
               SPARSE);
  }
  const unsigned all_read = a0 ^ a1 ^ b0 ^ b1;
  out[index()] = all_read + d[0] + d[1] + d[2] + d[3] + static_cast<unsigned>(wide[0] + wide[1]);
}

inline void launch_matrices(void* in, void* out) {
  const half* hi = static_cast<half*>(in);
  half* ho = static_cast<half*>(out);
  const float* fi = static_cast<float*>(in);
  float* fo = static_cast<float*>(out);
  const signed char* bi = static_cast<signed char*>(in);
  const unsigned* ui = static_cast<unsigned*>(in);
  unsigned* uo = static_cast<unsigned*>(out);
  launch("multiplied<half, float, row_major, row_major>",
         multiplied<half, float, row_major, row_major>, hi, hi, fo, false);
  launch("multiplied<half, float, row_major, col_major>",
         multiplied<half, float, row_major, col_major>, hi, hi, fo, false);
  launch("multiplied<half, float, col_major, row_major>",
         multiplied<half, float, col_major, row_major>, hi, hi, fo, true);
  launch("multiplied<half, half, col_major, col_major>",
         multiplied<half, half, col_major, col_major>, hi, hi, ho, false);
  launch("multiplied<half, half, row_major, row_major>",
         multiplied<half, half, row_major, row_major>, hi, hi, ho, true);
  launch("multiplied<signed char, int, row_major, col_major>",
         multiplied<signed char, int, row_major, col_major>, bi, bi, static_cast<int*>(out), false);
  launch("multiplied<signed char, int, col_major, row_major>",
         multiplied<signed char, int, col_major, row_major>, bi, bi, static_cast<int*>(out), false);
  launch("accumulated<row_major>", accumulated<row_major>, hi, hi, fi, fo);
  launch("accumulated<col_major>", accumulated<col_major>, hi, hi, fi, fo);
  launch("multiplied_in_shared<16, row_major, row_major>",
         multiplied_in_shared<16, row_major, row_major>, hi, fo);
  launch("multiplied_in_shared<24, row_major, col_major>",
         multiplied_in_shared<24, row_major, col_major>, hi, fo);
  launch("multiplied_in_shared<64, row_major, row_major>",
         multiplied_in_shared<64, row_major, row_major>, hi, fo);
  launch("multiplied_in_shared<16, col_major, col_major>",
         multiplied_in_shared<16, col_major, col_major>, hi, fo);
  launch("multiplied_tf32", multiplied_tf32, fi, fi, fo);
  launch("multiplied_doubles", multiplied_doubles, static_cast<double*>(in),
         static_cast<double*>(in), static_cast<double*>(out));
  launch("rows_of_matrices<1, 16, false>", rows_of_matrices<1, 16, false>, uo);
  launch("rows_of_matrices<2, 16, false>", rows_of_matrices<2, 16, false>, uo);
  launch("rows_of_matrices<4, 16, false>", rows_of_matrices<4, 16, false>, uo);
  launch("rows_of_matrices<4, 32, false>", rows_of_matrices<4, 32, false>, uo);
  launch("rows_of_matrices<4, 64, true>", rows_of_matrices<4, 64, true>, uo);
  launch("rows_of_matrices<4, 128, false>", rows_of_matrices<4, 128, false>, uo);
  launch("rows_of_matrices<4, 144, true>", rows_of_matrices<4, 144, true>, uo);
  launch("products<halves>", products<halves>, ui, uo);
  launch("products<floats_of_halves>", products<floats_of_halves>, ui, uo);
  launch("products<short_halves>", products<short_halves>, ui, uo);
  launch("products<bfloats>", products<bfloats>, ui, uo);
  launch("products<bytes>", products<bytes>, ui, uo);
  launch("products<short_bytes>", products<short_bytes>, ui, uo);
  launch("products<nibbles>", products<nibbles>, ui, uo);
  launch("products<bits>", products<bits>, ui, uo);
  launch("products<bits_and>", products<bits_and>, ui, uo);
  launch("products<tf32>", products<tf32>, ui, uo);
  launch("products<short_tf32>", products<short_tf32>, ui, uo);
  launch("products<doubles>", products<doubles>, ui, uo);
  launch("products<sparse_halves>", products<sparse_halves>, ui, uo);
  launch("products<short_sparse_halves>", products<short_sparse_halves>, ui, uo);
  launch("products<sparse_bytes>", products<sparse_bytes>, ui, uo);
  launch("products<short_sparse_bytes>", products<short_sparse_bytes>, ui, uo);
  launch("products<sparse_nibbles>", products<sparse_nibbles>, ui, uo);
  launch("products<sparse_tf32>", products<sparse_tf32>, ui, uo);
}
