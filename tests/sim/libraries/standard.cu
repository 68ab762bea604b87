// The CUDA C++ standard library: atomics with an order, barriers, pipelines, and cuda::std.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/span>

#include <numeric>

#include "check.h"

constexpr int threads = 128;

__global__ void count_below(const int* in, int n, int bound, unsigned* counter) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || in[i] >= bound) return;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*counter).fetch_add(
      1, cuda::memory_order_relaxed);
}

// The first block publishes, the others wait for it: a message with its flag.
__global__ void pass_on(int* message, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *message = 42;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    out[blockIdx.x] = *message;
  }
}

// Tiles of the input come to shared memory one ahead of their use.
__global__ void sums_through_a_pipeline(const int* in, int n, int* out) {
  __shared__ int tile[2][threads];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const int t = static_cast<int>(threadIdx.x), tiles = (n + threads - 1) / threads;
  const auto fetch = [&](int k) {
    pipe.producer_acquire();
    if (k < tiles && k * threads + t < n)
      cuda::memcpy_async(&tile[k % 2][t], in + k * threads + t, sizeof(int), pipe);
    pipe.producer_commit();
  };
  int sum = 0;
  fetch(0);
  for (int k = 0; k < tiles; ++k) {
    fetch(k + 1);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    if (k * threads + t < n) sum += tile[k % 2][t];  // its own element: no barrier
    pipe.consumer_release();
  }
  out[t] = sum;
}

// A barrier of the block, arrived at and waited for apart.
__global__ void neighbours(const int* in, int n, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init  // init() makes it, below
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int cells[threads];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int base = 0; base < n; base += threads) {
    const int i = base + static_cast<int>(threadIdx.x);
    cells[threadIdx.x] = i < n ? in[i] : 0;
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    const int left = threadIdx.x == 0 ? 0 : cells[threadIdx.x - 1];
    if (i < n) out[i] = left;
    barrier.arrive_and_wait();
  }
}

__device__ cuda::std::optional<int> first_above(cuda::std::span<const int> values, int bound) {
  for (const int v : values)
    if (v > bound) return v;
  return cuda::std::nullopt;
}
__global__ void of_std(int* out) {
  const cuda::std::array<int, 4> values{3, 9, 27, 81};
  out[0] = first_above(values, 10).value_or(-1);
  out[1] = first_above(values, 100).value_or(-1);
  const auto z = cuda::std::complex<float>(0, 2) * cuda::std::complex<float>(0, 3);
  out[2] = static_cast<int>(z.real());
  out[3] = cuda::std::popcount(0xf0f0u) + cuda::std::countl_zero(1u);
}

int main() {
  for (const int n : sizes) {
    const std::vector<int> values = numbers(n, 6, 1000);
    Device<int> in(values), out(static_cast<std::size_t>(n));
    Device<unsigned> counter(std::vector<unsigned>{0});
    count_below<<<(n + threads) / threads, threads>>>(in.get(), n, 300, counter.get());
    MUST(cudaGetLastError());
    unsigned below = 0;
    for (const int v : values) below += v < 300;
    expect("numbers below", n, counter.host(), {below});

    Device<int> sums(threads);
    sums_through_a_pipeline<<<1, threads>>>(in.get(), n, sums.get());
    MUST(cudaGetLastError());
    std::vector<int> wanted(threads);
    for (int i = 0; i < n; ++i)
      wanted[static_cast<std::size_t>(i % threads)] += values[static_cast<std::size_t>(i)];
    expect("sums through a pipeline", n, sums.host(), wanted);

    neighbours<<<1, threads>>>(in.get(), n, out.get());
    MUST(cudaGetLastError());
    std::vector<int> left(values.size());
    for (int i = 0; i < n; ++i)
      left[static_cast<std::size_t>(i)] =
          i % threads == 0 ? 0 : values[static_cast<std::size_t>(i - 1)];
    expect("neighbours", n, out.host(), left);
  }
  Device<int> message(std::vector<int>{0}), flag(std::vector<int>{0}),
      passed(std::vector<int>(8, 0)), few(4);
  pass_on<<<8, 32>>>(message.get(), flag.get(), passed.get());
  MUST(cudaGetLastError());
  expect("a message with its flag", 8, passed.host(), {0, 42, 42, 42, 42, 42, 42, 42});
  of_std<<<1, 1>>>(few.get());
  MUST(cudaGetLastError());
  expect("cuda::std", 4, few.host(), {27, -1, -6, 8 + 31});
  return failures != 0;
}
