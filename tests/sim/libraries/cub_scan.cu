// CUB's device-wide reductions, scans, histograms and selections.
#include <algorithm>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <numeric>

#include "check.h"

struct IsOdd {
  __device__ bool operator()(int v) const { return v % 2 != 0; }
};

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
    const auto size = static_cast<std::size_t>(n);
    const std::vector<int> values = numbers(n, 2, 8);
    Device<int> in(values), out(size), lengths(size), one(1), bins(8);

    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(scratch, bytes, in.get(), one.get(), n);
    });
    expect("sum", n, one.host(), {std::accumulate(values.begin(), values.end(), 0)});

    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(scratch, bytes, in.get(), out.get(), n);
    });
    std::vector<int> scanned(size);
    std::exclusive_scan(values.begin(), values.end(), scanned.begin(), 0);
    expect("exclusive sum", n, out.host(), scanned);

    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceHistogram::HistogramEven(scratch, bytes, in.get(), bins.get(), 9, 0, 8, n);
    });
    std::vector<int> counts(8);
    for (const int v : values) ++counts[static_cast<std::size_t>(v)];
    expect("histogram", n, bins.host(), counts);

    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceSelect::If(scratch, bytes, in.get(), out.get(), one.get(), n, IsOdd{});
    });
    std::vector<int> odd;
    std::copy_if(values.begin(), values.end(), std::back_inserter(odd),
                 [](int v) { return v % 2 != 0; });
    expect("how many are selected", n, one.host(), {static_cast<int>(odd.size())});
    expect("selection", n, out.host(odd.size()), odd);

    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceRunLengthEncode::Encode(scratch, bytes, in.get(), out.get(), lengths.get(),
                                                one.get(), n);
    });
    std::vector<int> run_values, run_lengths;
    for (const int v : values) {
      if (run_values.empty() || run_values.back() != v)
        run_values.push_back(v), run_lengths.push_back(0);
      ++run_lengths.back();
    }
    expect("how many runs", n, one.host(), {static_cast<int>(run_values.size())});
    expect("values of runs", n, out.host(run_values.size()), run_values);
    expect("lengths of runs", n, lengths.host(run_lengths.size()), run_lengths);
  }
  return failures != 0;
}
