// The checks of grid-stride: more elements than threads and fewer, and indices beyond 2³¹.
#include "grid-stride.h"

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

profile::Report range_case(long long first, long long count, int blocks) {
  const std::string name = std::to_string(count) + " from " + std::to_string(first) + ", " +
                           std::to_string(blocks) + (blocks == 1 ? " block" : " blocks");
  return lab::trial(
      name,
      [=] {
        std::vector<int> expected(count);
        for (long long k = 0; k < count; ++k) {
          const long long rest = (first + k) % 1000;
          expected[k] = static_cast<int>(rest * rest % 1000);
        }
        lab::Buffer<int> out("out", count);
        squares(first, first + count, blocks, out.get());
        lab::expect_equal("out", out.read(), expected);
      },
      {{"out-of-bounds",
        "The loop goes on while i < last, and out begins at index first: out[i - first]. Beyond "
        "2³¹ an int has\nlong overflowed; i, the start and the stride are long long."},
       {"launch-error", "An empty range gets no launch."}});
}

}  // namespace

void lab::checks() {
  const long long beyond = 1LL << 31;
  for (int n : lab::sizes()) range_case(0, n, 2);
  range_case(7, 1000, 1);
  range_case(0, 50, 9);                  // fewer elements than threads
  range_case(beyond - 100, 300, 1);      // across 2³¹
  range_case(3 * beyond + 11, 1000, 2);  // beyond it
  range_case(lab::random_value(0, 1 << 20), lab::random_value(2000, 5000), 3);
  lab::refused_launch([] {
    lab::Buffer<int> out("out", 100);
    squares(0, 100, 1, out.get());
  });

  const int n = 1 << 14, blocks = 4;
  const profile::Report report = range_case(0, n, blocks);
  lab::gate({.name = "blocks launched",
             .measured = report.kernels.empty() ? 0.0 : double(report.kernels[0].grid[0]),
             .limit = lab::exactly(blocks),
             .good = blocks,
             .good_when = "when the grid is as large as was asked, and its threads loop",
             .naive = n / 128.0,
             .naive_when = "with one thread for each element",
             .advice = "Let each thread do every (gridDim.x * blockDim.x)-th element.",
             .from_counters = false});
  lab::gate({.name = "kernels launched",
             .measured = static_cast<double>(report.kernels.size()),
             .limit = lab::exactly(1),
             .good = 1,
             .good_when = "when the loop is in the kernel",
             .naive = n / 128.0 / blocks,
             .naive_when = "when the host launches again and again",
             .advice = "The loop belongs into the kernel.",
             .from_counters = false});
  lab::gate({.name = "sectors per store request",
             .measured = report.ratio(counter::store_sectors, counter::store_requests),
             .limit = lab::at_most(4.5),
             .good = 4,
             .good_when = "when the 32 threads of a warp write 32 neighbouring ints",
             .naive = 32,
             .naive_when = "when each thread takes a stretch of its own",
             .advice = "Start at the thread's number and step by the whole grid, not by one."});
}
