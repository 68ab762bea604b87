// The checks of saxpy: right at every size, one thread per element, whole warps, whole sectors.
#include "saxpy.h"

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

// What each mistake usually means in this lab.
lab::Hints hints(int n) {
  return {
      {"out-of-bounds",
       "Blocks come in whole, so a grid that covers n = " + std::to_string(n) +
           " most often has threads left over. Compare the\nthread's number with n before it "
           "touches memory: if (i < n)."},
      {"global-race",
       "An element is for one thread only, and here several threads have the same one. Does the "
       "thread's number count all the\nthreads of the blocks before its own?"},
      {"launch-error",
       n == 0 ? "For n = 0 the grid would have no blocks, and that is an error: return before the "
                "launch."
              : "The device refused the launch. A block has at most 1024 threads, a grid at least "
                "one block: n / block is 0\nfor a small n, so round up. In <<<grid, block>>> the "
                "number of blocks comes first."},
  };
}

profile::Report saxpy_case(int n) {
  return lab::trial(
      "n = " + std::to_string(n),
      [n] {
        const float a = lab::random_value(1.f, 2.f);
        const auto x = lab::random_vector(n, -1.f, 1.f);
        const auto y = lab::random_vector(n, -1.f, 1.f);
        std::vector<double> expected(n);
        for (int i = 0; i < n; ++i) expected[i] = double(a) * x[i] + y[i];

        lab::Buffer<float> device_x("x", x), device_y("y", y);
        saxpy(n, a, device_x.get(), device_y.get());
        lab::expect_close("y", device_y.read(), expected);
        lab::expect_equal("x (which is only read)", device_x.read(), x);
      },
      hints(n));
}

}  // namespace

void lab::checks() {
  for (int n : lab::sizes()) saxpy_case(n);
  saxpy_case(600'000);  // more blocks than a block can have threads: they must not be mixed up
  lab::refused_launch([] {
    lab::Buffer<float> x("x", std::vector<float>(100, 1.f)), y("y", std::vector<float>(100, 1.f));
    saxpy(100, 2.f, x.get(), y.get());
  });

  // Counted where every warp is full, so that a gate needs no allowance for the last one.
  const int n = 1 << 14;
  const profile::Report report = saxpy_case(n);
  const double store_sectors = n * sizeof(float) / 32.0;

  lab::gate({.name = "kernels launched",
             .measured = static_cast<double>(report.kernels.size()),
             .limit = lab::exactly(1),
             .good = 1,
             .good_when = "when the device does the work in one go",
             .naive = 0,
             .naive_when = "when the host computes y",
             .advice = "The work is the device's: saxpy launches one kernel, once.",
             .from_counters = false});
  lab::gate(
      {.name = "sectors stored by kernels",
       .measured = report.total(counter::store_sectors),
       .limit = lab::at_least(store_sectors),
       .good = store_sectors,
       .good_when = "when kernels write all of y",
       .naive = 0,
       .naive_when = "when the host computes y",
       .advice = "The work is the device's: saxpy launches a kernel, and the kernel writes y."});
  lab::gate({.name = "sectors per load request",
             .measured = report.ratio(counter::load_sectors, counter::load_requests),
             .limit = lab::at_most(4.5),
             .good = 4,
             .good_when = "when the 32 threads of a warp read 32 neighbouring floats",
             .naive = 32,
             .naive_when = "when each thread takes a stretch of its own",
             .advice =
                 "Memory moves in sectors of 32 bytes. Give neighbouring threads neighbouring "
                 "elements, so that every byte of\na sector is used: "
                 "i = blockIdx.x * blockDim.x + threadIdx.x."});
  lab::gate({.name = "sectors per store request",
             .measured = report.ratio(counter::store_sectors, counter::store_requests),
             .limit = lab::at_most(4.5),
             .good = 4,
             .good_when = "when the 32 threads of a warp write 32 neighbouring floats",
             .naive = 32,
             .naive_when = "when each thread takes a stretch of its own",
             .advice = "What holds for reading holds for writing: let i grow with threadIdx.x."});
  lab::gate({.name = "active lanes per warp",
             .measured = report.ratio(counter::thread_instructions, counter::instructions),
             .limit = lab::at_least(31.5),
             .good = 32,
             .good_when = "when blocks are made of whole warps",
             .naive = 1,
             .naive_when = "with one thread in a block",
             .advice =
                 "A warp is 32 threads whether you use them or not: make the block a multiple "
                 "of 32, and let no lanes stand idle."});
}
