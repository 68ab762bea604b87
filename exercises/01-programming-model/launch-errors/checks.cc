// The checks of launch-errors: launches that are refused, one that fails as it runs, and what comes
// after.
//
// A launch that goes wrong on purpose makes the device report a mistake, which would fail a case.
// So each case launches first, outside of its trial, and what became of it is judged inside.
#include "launch-errors.h"

#include "lab/grade.h"

namespace {

struct Launch {
  std::string name;
  int blocks = 2, threads = 64;
  std::size_t shared_bytes = 0;
  bool null = false;          // values is nullptr
  bool error_before = false;  // an earlier call has failed, and nobody asked
};

struct Expected {
  bool refused = false;
  cudaError_t later = cudaSuccess;
  bool sticky = false;
};

// Runtimes differ in what they call an impossible shape: an H200 with CUDA 13 says
// cudaErrorInvalidValue, and cudaErrorInvalidConfiguration is documented for it.
bool is_refusal(cudaError_t error) {
  return error == cudaErrorInvalidValue || error == cudaErrorInvalidConfiguration;
}

void expect_error(const std::string& what, cudaError_t got, cudaError_t expected,
                  const std::string& advice) {
  lab::expect(got == expected, what + " is " + cudaGetErrorName(got) + ", expected " +
                                   cudaGetErrorName(expected) + ".\n" + advice);
}

void expect_told(const LaunchErrors& told, const Expected& expected) {
  const std::string advice =
      "It is what cudaGetLastError() returns right after the launch, and before anything waits.";
  if (!expected.refused)
    expect_error("at_launch", told.at_launch, cudaSuccess, advice);
  else if (!is_refusal(told.at_launch))
    expect_error("at_launch", told.at_launch, cudaErrorInvalidValue, advice);
  expect_error("later", told.later, expected.later,
               "It is what the first call returns that waits for the kernel; a refused launch has "
               "no kernel to wait for.");
  lab::expect(told.sticky == expected.sticky,
              std::string("sticky is ") + (told.sticky ? "true" : "false") + ", expected " +
                  (expected.sticky ? "true" : "false") +
                  ".\nAn error is sticky if the next call that needs the device fails again.");
}

profile::Report launch_case(const Launch& launch, const Expected& expected) {
  const bool runs = !expected.refused && expected.later == cudaSuccess;
  constexpr std::size_t n = 128;
  std::vector<int> values;
  LaunchErrors told;
  std::string thrown, unreadable;
  cudaError_t left_behind = cudaSuccess;
  profile::Region region;
  {
    lab::Buffer<int> device_values("values", std::vector<int>(n, 7));
    if (launch.error_before) cudaSetDevice(-1);  // cudaErrorInvalidDevice
    try {
      told = launch_and_tell(launch.blocks, launch.threads, launch.shared_bytes,
                             launch.null ? nullptr : device_values.get());
    } catch (const std::exception& exception) {
      thrown = exception.what();
    }
    left_behind = cudaPeekAtLastError();
    try {
      if (runs) values = device_values.read();
    } catch (const std::exception& exception) {
      unreadable = exception.what();
    }
  }
  const profile::Report report = region.end();
  cudaGetLastError();
  if (cudaDeviceSynchronize() != cudaSuccess) cudaDeviceReset();  // sticky: a fair start
  cudaGetLastError();

  lab::trial(launch.name, [&] {
    lab::expect(thrown.empty(), "launch_and_tell returns errors and does not throw: " + thrown);
    expect_told(told, expected);
    if (!expected.sticky)
      expect_error("after launch_and_tell, the last error", left_behind, cudaSuccess,
                   "Take your error away before you return, or the next one to ask thinks it is "
                   "theirs.");
    if (!runs) return;
    lab::expect(unreadable.empty(), "values cannot be read any more: " + unreadable);
    std::vector<int> numbered(n);
    for (std::size_t i = 0; i < n; ++i) numbered[i] = 1000 + static_cast<int>(i);
    lab::expect_equal("values", values, numbered);
  });
  return report;
}

}  // namespace

void lab::checks() {
  const profile::Report report = launch_case({.name = "2 blocks of 64 threads"}, {});
  launch_case({.name = "2048 threads a block", .threads = 2048}, {.refused = true});
  launch_case({.name = "no block", .blocks = 0}, {.refused = true});
  launch_case({.name = "1 MiB of shared memory", .shared_bytes = 1 << 20}, {.refused = true});
  launch_case({.name = "an error from before", .error_before = true}, {});
  launch_case(
      {.name = "an error from before, and 2048 threads", .threads = 2048, .error_before = true},
      {.refused = true});
  // A real driver may refuse to work on in a process whose device has failed, so there no case
  // could be judged after this one.
  if (profile::checks_memory()) {
    launch_case({.name = "values is nullptr", .null = true},
                {.later = cudaErrorIllegalAddress, .sticky = true});
    launch_case({.name = "after a new start"}, {});
  }

  lab::gate({.name = "kernels launched",
             .measured = static_cast<double>(report.kernels.size()),
             .limit = lab::exactly(1),
             .good = 1,
             .good_when = "when the launch is tried once, and its errors are asked for",
             .naive = 2,
             .naive_when = "when it is launched again to see whether the device still works",
             .advice = "A call such as cudaDeviceSynchronize shows it as well, and runs nothing.",
             .from_counters = false});
}
