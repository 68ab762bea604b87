// Matrix multiplication as <mma.h> offers it, in every shape and type, against sums on the host.
// The inputs are small integers, so every type is exact. The program prints a line for each case.
#include <mma.h>

#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

namespace wmma = nvcuda::wmma;

template <int M, int N, int K, class T, class C, class LayoutA, class LayoutB>
__global__ void multiply(const T* a, const T* b, const C* c, C* d, int lda, int ldb) {
  using Stored = std::conditional_t<std::is_same_v<T, float>, wmma::precision::tf32, T>;
  wmma::fragment<wmma::matrix_a, M, N, K, Stored, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, Stored, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  if constexpr (std::is_same_v<T, float>) {
    for (auto& x : fa.x) x = wmma::__float_to_tf32(x);
    for (auto& x : fb.x) x = wmma::__float_to_tf32(x);
  }
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, N, wmma::mem_row_major);
}

template <class T>
T number(int x) {
  return T(float(x));
}

template <int M, int N, int K, class T, class C, class LayoutA, class LayoutB>
void check(const char* name) {
  constexpr bool a_rows = std::is_same_v<LayoutA, wmma::row_major>;
  constexpr bool b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  std::vector<T> a(M * K), b(K * N);
  std::vector<C> c(M * N), d(M * N);
  const auto value_a = [](int i, int k) { return (i * 7 + k * 3) % 5; };
  const auto value_b = [](int k, int j) { return (k * 5 + j * 2) % 7; };
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < K; ++k) a[a_rows ? i * K + k : k * M + i] = number<T>(value_a(i, k));
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < N; ++j) b[b_rows ? k * N + j : j * K + k] = number<T>(value_b(k, j));
  for (int n = 0; n < M * N; ++n) c[n] = number<C>(n % 9);
  T *da, *db;
  C *dc, *dd;
  cudaMalloc(&da, a.size() * sizeof(T));
  cudaMalloc(&db, b.size() * sizeof(T));
  cudaMalloc(&dc, c.size() * sizeof(C));
  cudaMalloc(&dd, d.size() * sizeof(C));
  cudaMemcpy(da, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c.data(), c.size() * sizeof(C), cudaMemcpyHostToDevice);
  multiply<M, N, K, T, C, LayoutA, LayoutB>
      <<<1, 32>>>(da, db, dc, dd, a_rows ? K : M, b_rows ? N : K);
  cudaMemcpy(d.data(), dd, d.size() * sizeof(C), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      int sum = (i * N + j) % 9;
      for (int k = 0; k < K; ++k) sum += value_a(i, k) * value_b(k, j);
      wrong += float(d[i * N + j]) != float(sum);
    }
  std::printf("%s %dx%dx%d: %d wrong, %s\n", name, M, N, K, wrong,
              cudaGetErrorString(cudaGetLastError()));
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  cudaFree(dd);
}

template <int M, int N, int K, class T, class C>
void check_layouts(const char* name) {
  using row = wmma::row_major;
  using col = wmma::col_major;
  check<M, N, K, T, C, row, row>(name);
  check<M, N, K, T, C, row, col>(name);
  check<M, N, K, T, C, col, row>(name);
  check<M, N, K, T, C, col, col>(name);
}
template <class T, class C>
void check_shapes(const char* name) {
  check_layouts<16, 16, 16, T, C>(name);
  check_layouts<32, 8, 16, T, C>(name);
  check_layouts<8, 32, 16, T, C>(name);
}

int main() {
  check_shapes<half, float>("half");
  check_shapes<half, half>("half into half");
  check_shapes<__nv_bfloat16, float>("bfloat16");
  check_shapes<signed char, int>("signed bytes");
  check_shapes<unsigned char, int>("bytes");
  check_layouts<16, 16, 8, float, float>("tf32");
  check_layouts<8, 8, 4, double, double>("double");
}
