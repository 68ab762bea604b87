// The functions of cuda_fp16.h, cuda_bf16.h and cuda_fp8.h that exist on both sides, and those of
// the compiler that the host can do in plain C++: the same bits on the device as on the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int count = 512;

struct Input {
  std::uint64_t words[4];  // two numbers of up to 128 bits

  // Word k of case i lies at words[k * count + i], so that neighbours read neighbours.
  __host__ __device__ Input(const std::uint64_t* from, int i) {
    for (int k = 0; k < 4; ++k) words[k] = from[k * count + i];
  }

  template <class T>
  __host__ __device__ T get(int k) const {
    T value;
    memcpy(static_cast<void*>(&value), &words[2 * k], sizeof value);
    return value;
  }
};

// Zeros, infinities, the least and the largest numbers, numbers near one, and any bits at all. (No
// NaNs: of those, the two sides may make different ones.)
std::uint64_t any_word(std::uint64_t random) {
  static const std::uint16_t special[] = {0x0000, 0x8000, 0x0001, 0x03ff, 0x3c00, 0x3f80,
                                          0x7bff, 0x7c00, 0xfc00, 0x477f, 0x4580, 0x0080};
  std::uint64_t word = 0;
  for (int part = 0; part < 4; ++part) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const auto r = static_cast<std::uint16_t>(random >> 48);
    const std::uint16_t near_one = (r & 0x83ff) | 0x3800;
    std::uint16_t bits = r % 5 == 0 ? special[r / 5 % 12] : r % 5 == 1 ? r : near_one;
    if ((bits & 0x7f80) == 0x7f80 || (bits & 0x7fff) > 0x7c00) bits &= 0x87ff;
    word |= std::uint64_t{bits} << 16 * part;
  }
  return word;
}

template <class F>
__global__ void apply(const std::uint64_t* in, typename F::Result* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = F::on(Input(in, i));
}

template <class F>
void compare(const char* name) {
  using Result = typename F::Result;
  std::vector<std::uint64_t> words(4 * count);
  std::uint64_t seed = 1;
  for (std::uint64_t& word : words) word = any_word(seed++ * 0x9e3779b97f4a7c15u);
  std::uint64_t* in;
  Result* out;
  cudaMalloc(&in, words.size() * sizeof words[0]);
  cudaMalloc(&out, count * sizeof(Result));
  cudaMemcpy(in, words.data(), words.size() * sizeof words[0], cudaMemcpyHostToDevice);
  apply<F><<<count / 128, 128>>>(in, out);
  std::vector<Result> results(count);
  const cudaError_t error =
      cudaMemcpy(results.data(), out, count * sizeof(Result), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const Result wanted = F::on(Input(words.data(), i));
    wrong += std::memcmp(&wanted, &results[static_cast<std::size_t>(i)], sizeof wanted) != 0;
  }
  std::printf("%s: %d wrong, %s\n", name, wrong, cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(out);
}

}  // namespace

// BOTH(name, type of a and b, type of the result, what)
#define BOTH(name, T, R, expression)                               \
  namespace {                                                      \
  struct name {                                                    \
    using Result = R;                                              \
    static __host__ __device__ R on(const Input& in) {             \
      [[maybe_unused]] const T a = in.get<T>(0), b = in.get<T>(1); \
      return expression;                                           \
    }                                                              \
  };                                                               \
  }
#include "small_numbers.def"
#undef BOTH

int main() {
#define BOTH(name, T, R, expression) compare<name>(#name);
#include "small_numbers.def"
}
