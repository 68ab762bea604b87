// cuRAND's device API: each thread draws its own sequence. The host draws the same from the
// published XORWOW and Philox generators only indirectly: sequences must repeat, differ from each
// other, and have the right mean.
#include <curand_kernel.h>

#include <cmath>

#include "check.h"

template <typename State>
__global__ void draw(unsigned long long seed, int n, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  State state;
  curand_init(seed, i, 0, &state);
  out[2 * i] = curand_uniform(&state);
  out[2 * i + 1] = curand_normal(&state);
}

template <typename State>
void try_out(const char* name, int n) {
  const auto size = 2 * static_cast<std::size_t>(n);
  Device<float> first(size), again(size), other(size);
  const int blocks = (n + 255) / 256;
  if (blocks == 0) return;
  draw<State><<<blocks, 256>>>(7, n, first.get());
  draw<State><<<blocks, 256>>>(7, n, again.get());
  draw<State><<<blocks, 256>>>(8, n, other.get());
  MUST(cudaGetLastError());
  const std::vector<float> a = first.host(), b = again.host(), c = other.host();
  expect(name, n, a, b);
  double uniform = 0, normal = 0, square = 0;
  for (std::size_t i = 0; i < size; i += 2) {
    if (!(a[i] > 0 && a[i] <= 1) || a[i] == c[i] || !std::isfinite(a[i + 1])) ++failures;
    uniform += a[i], normal += a[i + 1], square += double(a[i + 1]) * a[i + 1];
  }
  if (n < 1000) return;
  const double error = 4 / std::sqrt(double(n));  // four standard deviations, and more
  if (std::abs(uniform / n - 0.5) > error || std::abs(normal / n) > error ||
      std::abs(square / n - 1) > 2 * error) {
    std::printf("%s, n = %d: means %g, %g, %g\n", name, n, uniform / n, normal / n, square / n);
    ++failures;
  }
}

int main() {
  for (const int n : sizes) {
    try_out<curandStatePhilox4_32_10_t>("Philox", n);
    if (n <= 1000) try_out<curandStateXORWOW_t>("XORWOW", n);  // its set-up is long
  }
  return failures != 0;
}
