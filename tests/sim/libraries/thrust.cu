// Thrust's algorithms on device vectors.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>

#include "check.h"

struct Square {
  __host__ __device__ int operator()(int v) const { return v * v; }
};

template <typename Iterator>
std::vector<int> host(Iterator begin, Iterator end) {
  const thrust::host_vector<int> copy(begin, end);
  return {copy.begin(), copy.end()};
}

int main() {
  for (const int n : sizes) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<int> keys = numbers(n, 3, 50), values = numbers(n, 4, 9);
    thrust::device_vector<int> device_keys(keys.begin(), keys.end());
    thrust::device_vector<int> device_values(values.begin(), values.end());

    thrust::device_vector<int> scanned(size);
    thrust::transform_inclusive_scan(device_values.begin(), device_values.end(), scanned.begin(),
                                     Square{}, thrust::plus<int>());
    std::vector<int> wanted(size);
    std::transform_inclusive_scan(values.begin(), values.end(), wanted.begin(), std::plus<>(),
                                  Square{});
    expect("transform_inclusive_scan", n, host(scanned.begin(), scanned.end()), wanted);

    thrust::sort(device_keys.begin(), device_keys.end());
    std::sort(keys.begin(), keys.end());
    expect("sort", n, host(device_keys.begin(), device_keys.end()), keys);

    thrust::device_vector<int> groups(size), sums(size);
    const auto ends = thrust::reduce_by_key(device_keys.begin(), device_keys.end(),
                                            device_values.begin(), groups.begin(), sums.begin());
    std::vector<int> wanted_groups, wanted_sums;
    for (std::size_t i = 0; i < size; ++i) {
      if (wanted_groups.empty() || wanted_groups.back() != keys[i])
        wanted_groups.push_back(keys[i]), wanted_sums.push_back(0);
      wanted_sums.back() += values[i];
    }
    expect("keys of reduce_by_key", n, host(groups.begin(), ends.first), wanted_groups);
    expect("sums of reduce_by_key", n, host(sums.begin(), ends.second), wanted_sums);

    const auto end = thrust::unique(device_keys.begin(), device_keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    expect("unique", n, host(device_keys.begin(), end), keys);

    const int sum = thrust::reduce(device_values.begin(), device_values.end());
    expect("reduce", n, std::vector<int>{sum}, {std::accumulate(values.begin(), values.end(), 0)});
  }
  return failures != 0;
}
