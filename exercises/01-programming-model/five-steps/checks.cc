// The checks of five-steps: right sums, and each allocation and each copy in turn made to fail.
#include "five-steps.h"

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

constexpr float untouched = -12345;

const lab::Hints hints = {
    {"out-of-bounds",
     "The kernel may follow device pointers only, each to n elements, and none of an allocation "
     "that failed: return\nbefore the launch if anything went wrong. And compare i with n."},
    {"api-misuse",
     "Destination first, then source, then the direction, which must agree with both. Free each "
     "allocation once."},
    {"launch-error", "A block has at most 1024 threads, and for n = 0 there is no launch."}};

std::size_t bytes_in_use() {
  std::size_t free = 0, total = 0;
  LAB_CUDA(cudaMemGetInfo(&free, &total));
  return total - free;
}

void expect_nothing_kept(std::size_t bytes) {
  if (!profile::checks_memory()) return;  // a real driver hands memory out in large pieces
  lab::expect(bytes == 0, std::to_string(bytes) +
                              " bytes of device memory are still allocated after the failure.\n"
                              "The caller cannot free them: free what you have before you return "
                              "the error.");
}

struct Arrays {
  explicit Arrays(int n)
      : a(lab::random_vector(n, -1.f, 1.f)),
        b(lab::random_vector(n, -1.f, 1.f)),
        sum(n, untouched),
        expected(n) {
    for (int i = 0; i < n; ++i) expected[i] = a[i] + b[i];
  }

  cudaError_t add() {
    return add_on_device(static_cast<int>(a.size()), a.data(), b.data(), sum.data());
  }

  std::vector<float> a, b, sum, expected;
};

profile::Report sum_case(int n, std::size_t* kept = nullptr) {
  return lab::trial(
      "n = " + std::to_string(n),
      [=] {
        Arrays arrays(n);
        const std::size_t before = bytes_in_use();
        LAB_CUDA(arrays.add());
        if (kept) *kept = bytes_in_use() - before;
        lab::expect_equal("sum", arrays.sum, arrays.expected);
      },
      hints);
}

// The count-th allocation fails. A version that gets by with fewer never meets it, and must then
// be right.
void failure_case(int count) {
  const std::string names[] = {"first", "second", "third"};
  lab::trial(
      "the " + names[count - 1] + " allocation fails",
      [=] {
        Arrays arrays(1000);
        const std::size_t before = bytes_in_use();
        profile::fail_allocation(count);
        const cudaError_t error = arrays.add();
        profile::fail_allocation(0);
        if (error != cudaSuccess) {
          cudaGetLastError();  // it was told, so it does not count as one that nobody asked for
          lab::expect(error == cudaErrorMemoryAllocation,
                      std::string("cudaMalloc failed with cudaErrorMemoryAllocation, and ") +
                          "add_on_device returned " + cudaGetErrorName(error) +
                          ".\nReturn the first error: later ones are only its consequences.");
          lab::expect(arrays.sum == std::vector<float>(arrays.sum.size(), untouched),
                      "an allocation failed, and sum was written all the same.");
        } else {
          lab::expect(arrays.sum == arrays.expected,
                      "an allocation failed, and add_on_device returned cudaSuccess with wrong "
                      "sums.\nLook at what every call returns, cudaMalloc first of all.");
        }
        expect_nothing_kept(bytes_in_use() - before);
      },
      hints);
}

// A copy fails because the host's pointer is null. The mistake is the caller's, so what the device
// reports about it is not held against the learner: the call stands outside of the trial.
void null_case(const std::string& which) {
  Arrays arrays(1000);
  const std::size_t before = bytes_in_use();
  cudaError_t error = cudaSuccess;
  std::string thrown;
  try {
    error = add_on_device(1000, which == "a" ? nullptr : arrays.a.data(),
                          which == "b" ? nullptr : arrays.b.data(),
                          which == "sum" ? nullptr : arrays.sum.data());
  } catch (const std::exception& exception) {
    thrown = exception.what();
  }
  cudaDeviceSynchronize();
  cudaGetLastError();  // it was told, so it does not count as one that nobody asked for
  const std::size_t kept = bytes_in_use() - before;
  lab::trial("the copy of " + which + " fails", [&] {
    lab::expect(thrown.empty(), "add_on_device returns errors and does not throw: " + thrown);
    lab::expect(error == cudaErrorInvalidValue,
                which + " was null. cudaMemcpy failed with cudaErrorInvalidValue, and " +
                    "add_on_device returned " + cudaGetErrorName(error) +
                    ".\nA copy can fail as well: keep what each one returns.");
    expect_nothing_kept(kept);
  });
}

}  // namespace

void lab::checks() {
  for (int n : lab::sizes()) sum_case(n);
  // Only the simulated GPU can let an allocation fail on demand.
  if (profile::fail_allocation(0))
    for (int count : {1, 2, 3}) failure_case(count);
  for (const char* which : {"a", "b", "sum"}) null_case(which);

  const int n = 1 << 14;
  std::size_t kept = 0;
  const profile::Report report = sum_case(n, &kept);
  lab::gate({.name = "bytes still allocated",
             .measured = profile::checks_memory() ? std::optional<double>(kept) : std::nullopt,
             .limit = lab::exactly(0),
             .good = 0,
             .good_when = "when each allocation is freed",
             .naive = 3.0 * n * sizeof(float),
             .naive_when = "when nobody frees",
             .advice = "Three calls of cudaMalloc need three of cudaFree."});
  lab::gate({.name = "sectors stored by kernels",
             .measured = report.total(counter::store_sectors),
             .limit = lab::at_least(n * sizeof(float) / 32.0),
             .good = n * sizeof(float) / 32.0,
             .good_when = "when a kernel writes all of the sums",
             .naive = 0,
             .naive_when = "when the host computes them",
             .advice = "The work is the device's: one thread for each sum."});
}
