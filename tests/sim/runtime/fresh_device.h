// A device on which nothing has happened, for tests of the runtime's calls.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include "sim/runtime/session.h"

namespace runtime_tests {

using sim::check::Finding;
using sim::check::Kind;

// Each test begins with a fresh device, and looks at its own findings.
struct FreshDevice {
  FreshDevice() {
    cudaDeviceReset();
    cudaGetLastError();
    mark = sim::Session::current().mark();
  }
  std::vector<Finding> findings() const { return sim::Session::current().findings(mark); }
  // The only finding there is.
  Finding finding() const {
    const std::vector<Finding> all = findings();
    REQUIRE(all.size() == 1);
    return all.front();
  }
  sim::Mark mark;
};

template <class T>
T* device_array(std::size_t n) {
  void* p = nullptr;
  REQUIRE(cudaMalloc(&p, n * sizeof(T)) == cudaSuccess);
  return static_cast<T*>(p);
}

inline bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace runtime_tests
