// CUB's device-wide sorts.
#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "check.h"

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

// CUB tells first how much scratch memory it wants, then works.
template <typename Call>
void with_scratch(Call call) {
  std::size_t bytes = 0;
  MUST(call(nullptr, bytes));
  Device<char> scratch(bytes);
  MUST(call(scratch.get(), bytes));
  MUST(cudaDeviceSynchronize());
}

int main() {
  for (const int n : sizes) {
    const std::vector<int> values = numbers(n, 1, 1 << 30);
    std::vector<int> sorted = values;
    std::sort(sorted.begin(), sorted.end());

    Device<int> in(values), out(static_cast<std::size_t>(n));
    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(scratch, bytes, in.get(), out.get(), n);
    });
    expect("radix sort", n, out.host(), sorted);

    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceMergeSort::SortKeys(scratch, bytes, in.get(), n, Less{});
    });
    expect("merge sort", n, in.host(), sorted);
  }
  return failures != 0;
}
