// The checks of thread-map: blocks of whole warps, of short ones, and of a single thread.
#include "thread-map.h"

#include "lab/grade.h"

namespace {

profile::Report map_case(int blocks, int threads) {
  const std::string shape = std::to_string(blocks) + " x " + std::to_string(threads) + " threads";
  return lab::trial(
      shape,
      [=] {
        const int n = blocks * threads;
        std::vector<int> global(n), block(n), warp(n), lane(n);
        for (int g = 0; g < n; ++g) {
          global[g] = g;
          block[g] = g / threads;
          warp[g] = g % threads / 32;
          lane[g] = g % threads % 32;
        }
        lab::Buffer<int> device_global("global", n), device_block("block", n),
            device_warp("warp", n), device_lane("lane", n);
        map_threads(
            blocks, threads,
            {device_global.get(), device_block.get(), device_warp.get(), device_lane.get()});
        lab::expect_equal("global", device_global.read(), global);
        lab::expect_equal("block", device_block.read(), block);
        lab::expect_equal("warp", device_warp.read(), warp);
        lab::expect_equal("lane", device_lane.read(), lane);
      },
      {{"out-of-bounds",
        "There is an element for every thread and no more: a thread's number in the grid is below "
        "blocks * threads."},
       {"launch-error",
        "The launch is <<<blocks, threads>>>: blocks first, then threads per block."}});
}

}  // namespace

void lab::checks() {
  for (int threads : {1, 31, 32, 33, 48, 256, 1000, 1024}) map_case(3, threads);
  map_case(lab::random_value(2, 9), lab::random_value(65, 500));
  lab::refused_launch([] {
    lab::Buffer<int> global("global", 2), block("block", 2), warp("warp", 2), lane("lane", 2);
    map_threads(1, 2, {global.get(), block.get(), warp.get(), lane.get()});
  });

  const profile::Report report = map_case(2000, 64);
  lab::gate({.name = "threads launched",
             .measured = report.kernels.empty()
                             ? 0.0
                             : double(report.kernels[0].grid[0]) * report.kernels[0].block[0],
             .limit = lab::exactly(128000),
             .good = 128000,
             .good_when = "when the grid has the shape that was asked for",
             .naive = 0,
             .naive_when = "when the host fills the arrays",
             .advice = "The map is the device's: every thread writes its own elements.",
             .from_counters = false});
}
