// The checks of block-sum: full blocks and short ones; every element read once, every sum written
// once, and the block's own memory in between.
#include "block-sum.h"

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

constexpr int block_size = 256;

profile::Report sums_case(int n) {
  return lab::trial(
      "n = " + std::to_string(n),
      [n] {
        const auto in = lab::random_vector(n, -1000, 1000);
        std::vector<int> expected((n + block_size - 1) / block_size);
        for (int i = 0; i < n; ++i) expected[i / block_size] += in[i];

        lab::Buffer<int> device_in("in", in), sums("sums", expected.size());
        block_sums(n, device_in.get(), sums.get());
        lab::expect_equal("sums", sums.read(), expected);
        lab::expect_equal("in (which is only read)", device_in.read(), in);
      },
      {{"out-of-bounds",
        "In the last block, threads without an element take 0 for it: i < n ? in[i] : 0. And "
        "partial[t + half] exists for\nt < half only."},
       {"shared-race",
        "One thread reads what another writes, with no barrier in between: after each round of "
        "writing to partial\nstands a __syncthreads()."},
       {"uninitialised-read",
        "Every thread writes its element of partial, 0 if it has none, and waits at the barrier "
        "before it reads others."},
       {"barrier-divergence",
        "Every thread of the block must come to the barrier: put it outside of the if, and let "
        "no thread return early."},
       {"launch-error", "For n = 0 the grid would have no blocks: return before the launch."}});
}

}  // namespace

void lab::checks() {
  for (int n : lab::sizes()) sums_case(n);
  sums_case(lab::random_value(6000, 9000));
  lab::refused_launch([] {
    lab::Buffer<int> in("in", std::vector<int>(100, 1)), sums("sums", 1);
    block_sums(100, in.get(), sums.get());
  });

  const int n = 1 << 14, blocks = n / block_size;
  const profile::Report report = sums_case(n);
  lab::gate({.name = "shared memory per block, in bytes",
             .measured = report.kernels.empty() ? 0.0
                                                : double(report.kernels[0].static_shared) +
                                                      report.kernels[0].dynamic_shared,
             .limit = lab::at_least(sizeof(int)),
             .good = block_size * sizeof(int),
             .good_when = "when every thread of the block has a place there",
             .naive = 0,
             .naive_when = "when the threads do not work together",
             .advice = "Let the threads of a block meet in a __shared__ array.",
             .from_counters = false});
  lab::gate({.name = "load requests",
             .measured = report.total(counter::load_requests),
             .limit = lab::at_most(n / 32),
             .good = n / 32,
             .good_when = "when each warp reads its 32 elements together, and once",
             .naive = n,
             .naive_when = "when one thread of the block reads all of them",
             .advice = "Each thread reads one element; the rest happens in shared memory."});
  lab::gate({.name = "store requests",
             .measured = report.total(counter::store_requests),
             .limit = lab::exactly(blocks),
             .good = blocks,
             .good_when = "when one thread of each block writes its sum, once",
             .naive = n / 32,
             .naive_when = "when every thread writes it",
             .advice = "Keep what is not finished in shared memory; at the end thread 0 writes."});
}
