// Cooperative groups: the block, tiles of a warp, the lanes that are together, the whole grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <numeric>

#include "check.h"

namespace cg = cooperative_groups;

// Each tile adds up its threads' numbers, then the block its tiles' sums.
__global__ void block_sums(const int* in, int n, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  __shared__ int sums[16];
  const int i = static_cast<int>(cg::this_grid().thread_rank());
  const int sum = cg::reduce(tile, i < n ? in[i] : 0, cg::plus<int>());
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    int all = 0;
    for (unsigned t = 0; t < tile.meta_group_size(); ++t) all += sums[t];
    out[blockIdx.x] = all;
  }
}

// Two warps make a tile. What they share to find together lies in memory that the system keeps.
__global__ void sums_of_pairs(const int* in, int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  const auto pair = cg::tiled_partition<64>(cg::this_thread_block(memory));
  const int i = static_cast<int>(cg::this_grid().thread_rank());
  const int sum = cg::reduce(pair, in[i], cg::plus<int>());
  pair.sync();
  out[i] = sum;
}

__global__ void ranks(int* out) {  // each lane's place in its tile's exclusive scan of ones
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  out[cg::this_grid().thread_rank()] = cg::exclusive_scan(tile, 1);
}

__global__ void count_odd(const int* in, int n, int* counter) {  // one atomic for lanes that meet
  const int i = static_cast<int>(cg::this_grid().thread_rank());
  if (i < n && in[i] % 2) {
    const cg::coalesced_group odd = cg::coalesced_threads();
    if (odd.thread_rank() == 0) atomicAdd(counter, static_cast<int>(odd.size()));
  }
}

__global__ void rotate_twice(int* data, int* other,
                             int n) {  // the grid waits for itself in between
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank()), threads = static_cast<int>(grid.size());
  for (int at = i; at < n; at += threads) other[(at + 1) % n] = data[at];
  grid.sync();
  for (int at = i; at < n; at += threads) data[(at + 1) % n] = other[at];
}

int main() {
  constexpr int threads = 256;
  for (const int n : sizes) {
    const std::vector<int> values = numbers(n, 5, 100);
    Device<int> in(values), other(static_cast<std::size_t>(n)), counter(std::vector<int>{0});
    const int blocks = (n + threads - 1) / threads;
    if (blocks == 0) continue;  // an empty grid is no launch

    Device<int> sums(static_cast<std::size_t>(blocks));
    block_sums<<<blocks, threads>>>(in.get(), n, sums.get());
    MUST(cudaGetLastError());
    std::vector<int> wanted(static_cast<std::size_t>(blocks));
    for (int i = 0; i < n; ++i)
      wanted[static_cast<std::size_t>(i / threads)] += values[static_cast<std::size_t>(i)];
    expect("sums of blocks", n, sums.host(), wanted);

    count_odd<<<blocks, threads>>>(in.get(), n, counter.get());
    MUST(cudaGetLastError());
    int odd = 0;
    for (const int v : values) odd += v % 2;
    expect("odd numbers", n, counter.host(), {odd});

    int *data = in.get(), *scratch = other.get(), count = n;
    void* arguments[] = {&data, &scratch, &count};
    MUST(cudaLaunchCooperativeKernel(rotate_twice, 4, threads, arguments, 0, nullptr));
    MUST(cudaDeviceSynchronize());
    std::vector<int> rotated(values.size());
    for (int i = 0; i < n; ++i)
      rotated[static_cast<std::size_t>((i + 2) % n)] = values[static_cast<std::size_t>(i)];
    expect("rotation across the grid", n, in.host(), rotated);
  }
  const std::vector<int> values = numbers(512, 5, 100);
  Device<int> of_each(values), of_pairs(values.size());
  sums_of_pairs<<<2, 256>>>(of_each.get(), of_pairs.get());
  MUST(cudaGetLastError());
  std::vector<int> sums(values.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i / 64 * 64);
    sums[i] = std::accumulate(first, first + 64, 0);
  }
  expect("sums of two warps", 512, of_pairs.host(), sums);

  Device<int> places(96);
  ranks<<<1, 96>>>(places.get());
  MUST(cudaGetLastError());
  std::vector<int> wanted(96);
  for (int i = 0; i < 96; ++i) wanted[static_cast<std::size_t>(i)] = i % 32;
  expect("ranks in a warp", 96, places.host(), wanted);
  return failures != 0;
}
