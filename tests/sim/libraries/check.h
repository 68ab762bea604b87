// What the programs of this folder share: sizes, seeded data, and a comparison that names itself.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline const std::vector<int> sizes{0, 1, 1000, 100'003};
inline int failures = 0;

#define MUST(call)                                                                      \
  do {                                                                                  \
    const cudaError_t error_ = (call);                                                  \
    if (error_ != cudaSuccess)                                                          \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error_)), std::exit(2); \
  } while (0)

inline std::vector<int> numbers(int n, std::uint64_t seed, int below) {
  std::vector<int> values(static_cast<std::size_t>(n));
  for (int& v : values) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    v = static_cast<int>((seed >> 33) % static_cast<std::uint64_t>(below));
  }
  return values;
}

template <typename T>
void expect(const char* what, int n, const std::vector<T>& got, const std::vector<T>& wanted) {
  if (got == wanted) return;
  std::size_t i = 0;
  while (i < got.size() && i < wanted.size() && got[i] == wanted[i]) ++i;
  std::printf("%s, n = %d: %zu values, %zu wanted; the first difference is at %zu\n", what, n,
              got.size(), wanted.size(), i);
  ++failures;
}

// Device memory that is given back at the end of its scope.
template <typename T>
class Device {
 public:
  explicit Device(std::size_t n) : size_(n) { MUST(cudaMalloc(&data_, (n + !n) * sizeof(T))); }
  explicit Device(const std::vector<T>& v) : Device(v.size()) {
    MUST(cudaMemcpy(data_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  Device(const Device&) = delete;
  ~Device() { MUST(cudaFree(data_)); }
  T* get() const { return data_; }
  std::vector<T> host(std::size_t n) const {
    std::vector<T> v(n);
    MUST(cudaMemcpy(v.data(), data_, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
  std::vector<T> host() const { return host(size_); }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};
