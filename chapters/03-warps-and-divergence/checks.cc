// The checks of reduce: every element once, at every size, whatever *sum held before; and in the
// way of this chapter: lanes that work, warps that exchange values without shared memory, one
// barrier.
//
// The inputs are whole numbers, positive and negative, small enough that every sum of some of them
// is exact in a float. So any order of additions must give the very same answer, and an element
// that is missing or counted twice cannot hide behind rounding.
#include "reduce.h"

#include "lab/grade.h"

#include <cmath>

namespace counter = profile::counter;

namespace {

constexpr double old_value = 1e6;  // what *sum holds before

const lab::Hints hints = {
    {"out-of-bounds",
     "A thread without elements must not touch memory: its own sum is 0, and it takes part in the "
     "warp's sum and in\nthe barrier all the same. If it is shared memory: there are as many sums "
     "in it as warps, and a lane beyond\nthose brings 0."},
    {"shared-race",
     "One warp touches what another writes, with nothing in between that makes it wait. Each warp "
     "writes an element of\nits own, and all have done so only after __syncthreads(). (Nor do the "
     "lanes of one warp move in step: exchange\nvalues by shuffles, or put __syncwarp() between "
     "writing and reading.)"},
    {"global-race",
     "Several blocks change *sum at the same time. An atomicAdd lets each of them have its turn; "
     "who sets it to 0\nmust have done so before any of them begins."},
    {"uninitialised-read",
     "Only as many partial sums were written as there are warps: the lanes beyond those must add "
     "0."},
    {"barrier-divergence",
     "All lanes that the mask names must come to the same shuffle, and all threads of the block to "
     "the barrier. A thread\nwithout elements must not leave early."},
    {"launch-error",
     "For n = 0 the grid would have no blocks, and that is an error: but the sum of nothing is 0, "
     "and must be written."},
};

// What a wrong sum looks like, if we know it.
std::string explain(double got, const std::vector<float>& in, double expected) {
  if (got == expected + old_value)
    return "\nThat is the right sum, and what *sum held before: set it to 0 first.";
  double first = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i != 0 && i % 32 == 0 && got == first)
      return "\nThat is the sum of the first " + std::to_string(i) + " elements; the last " +
             std::to_string(in.size() - i) +
             " are missing. Was a division rounded down? Does every thread take all of its "
             "elements, and every\nwarp add its sum?";
    first += in[i];
  }
  return "\nEvery order of additions gives exactly the expected sum here: some element is missing, "
         "or counted twice.";
}

profile::Report sum_case(int n) {
  return lab::trial(
      "n = " + std::to_string(n),
      [n] {
        std::vector<float> in(n);
        for (float& element : in)
          element = static_cast<float>(lab::random_value(1, 100) *
                                       (lab::random_value(0, 1) != 0 ? 1 : -1));
        double expected = 0;
        for (float element : in) expected += element;

        lab::Buffer<float> device_in("in", in);
        lab::Buffer<float> sum("sum", std::vector<float>{static_cast<float>(old_value)});
        reduce(n, device_in.get(), sum.get());
        const std::vector<float> got = sum.read();
        if (auto wrong = lab::first_mismatch(got, std::vector<double>{expected}, lab::exact))
          lab::fail(lab::describe("sum", *wrong, 1) + explain(got[0], in, expected));
        lab::expect_equal("in (which is only read)", device_in.read(), in);
      },
      hints);
}

void fractions_case(int n) {
  lab::trial(
      "fractions, n = " + std::to_string(n),
      [n] {
        const auto in = lab::random_vector(n, 0.f, 1.f);
        double expected = 0;
        for (float element : in) expected += element;
        lab::Buffer<float> device_in("in", in), sum("sum", 1);
        reduce(n, device_in.get(), sum.get());
        lab::expect_close("sum", sum.read(), std::vector<double>{expected});
      },
      hints);
}

double warps_of(const profile::Kernel& kernel) {
  const auto product = [](const auto& sizes) { return double(sizes[0]) * sizes[1] * sizes[2]; };
  return product(kernel.grid) * std::ceil(product(kernel.block) / 32);
}

// The warps of the kernel that reads most; of the largest where nothing is counted.
double warps_that_read(const profile::Report& report) {
  double warps = 0, most = -1;
  for (const profile::Kernel& kernel : report.kernels) {
    const auto sectors = kernel.counters.find(counter::load_sectors);
    const double reads = sectors == kernel.counters.end() ? warps_of(kernel) : sectors->second;
    if (reads > most) {
      most = reads;
      warps = warps_of(kernel);
    }
  }
  return warps;
}

// Beyond what the case itself reads back: the sum, and the array to see that it is unchanged.
std::optional<double> copied_to_host(const profile::Report& report, int n) {
  if (report.timeline.empty()) return std::nullopt;
  double bytes = 0;
  for (const profile::Operation& operation : report.timeline)
    if (operation.kind == "copy to host") bytes += static_cast<double>(operation.bytes);
  return bytes - sizeof(float) * (n + 1.0);
}

}  // namespace

void lab::checks() {
  for (int n : lab::sizes()) sum_case(n);
  for (int n : {1023, 1024, 1025, 65537, lab::random_value(100000, 200000)}) sum_case(n);
  fractions_case(10007);
  lab::refused_launch([] {
    lab::Buffer<float> in("in", std::vector<float>(100, 1.f)), sum("sum", 1);
    reduce(100, in.get(), sum.get());
  });

  // Counted at a size that depends on the device: 16 elements for each thread that fits on it.
  int multiprocessors = 1;
  LAB_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int n = 16 * 2048 * multiprocessors;
  const profile::Report report = sum_case(n);
  const auto per = [&](std::initializer_list<const char*> counters, double by) {
    std::optional<double> sum;
    for (const char* name : counters)
      if (auto total = report.total(name)) sum = sum.value_or(0) + *total / by;
    return sum;
  };
  const double warps = report.total(counter::warps).value_or(1);

  lab::gate({.name = "bytes read by kernels, for each element",
             .measured = per({counter::load_sectors}, n / 32.0),
             .limit = lab::at_least(4),
             .good = 4,
             .good_when = "when the kernels read every element",
             .naive = 0,
             .naive_when = "when the host adds them up",
             .advice = "The work is the device's: its kernels read the whole array."});
  lab::gate({.name = "bytes copied to the host by reduce",
             .measured = copied_to_host(report, n),
             .limit = lab::exactly(0),
             .good = 0,
             .good_when = "when the sum stays on the device, where the caller wants it",
             .naive = 4.0 * n,
             .naive_when = "when the host fetches the array and adds it up",
             .advice =
                 "Neither the array nor a part of its sum needs to come to the host: the last "
                 "addition is the device's, too."});
  lab::gate({.name = "bytes read and written, for each element",
             .measured = per({counter::load_sectors, counter::store_sectors}, n / 32.0),
             .limit = lab::at_most(4.25),
             .good = 4,
             .good_when = "when every element is read once, and only sums of blocks are written",
             .naive = 12,
             .naive_when = "when launch after launch halves the array in global memory",
             .advice = "Read each element once, neighbouring threads neighbouring elements. What "
                       "comes in between belongs into registers."});
  lab::gate({.name = "warps in the grid, for each multiprocessor",
             .measured = warps_that_read(report) / multiprocessors,
             .limit = lab::at_least(32),
             .good = 64,
             .good_when = "when the grid fills the device",
             .naive = 1,
             .naive_when = "when one small block does it all",
             .advice = "A multiprocessor hides the time that memory takes by having other warps at "
                       "hand: 64 of them fit. Start enough\nblocks for all multiprocessors.",
             .from_counters = false});
  lab::gate({.name = "active lanes per instruction",
             .measured = report.ratio(counter::thread_instructions, counter::instructions),
             .limit = lab::at_least(28),
             .good = 31,
             .good_when = "when the lanes of a warp go the same way until the very end",
             .naive = 24,
             .naive_when = "in a tree that adds where t % (2 * s) == 0",
             .advice =
                 "Where some lanes of a warp have work and others have not, all of them wait. "
                 "Let each thread first add up several\nelements of its own, then let whole "
                 "warps exchange values."});
  lab::gate({.name = "barriers for each warp",
             .measured = per({counter::block_barriers}, warps),
             .limit = lab::at_most(2),
             .good = 1,
             .good_when = "when a barrier stands only between the warps' sums and the block's",
             .naive = 9,
             .naive_when = "when every halving of the block ends with one",
             .advice = "The lanes of a warp need no __syncthreads() to exchange values: "
                       "__shfl_down_sync does it."});
  lab::gate({.name = "shared memory accesses for each warp",
             .measured = per({counter::shared_loads, counter::shared_stores}, warps),
             .limit = lab::at_most(2.5),
             .good = 1.125,
             .good_when = "when each warp writes one sum, and one warp reads them all",
             .naive = 18.75,
             .naive_when = "when a tree over 256 elements lies in shared memory",
             .advice = "A shuffle hands a value from register to register. Only the sums of whole "
                       "warps go through shared memory."});
  lab::gate({.name = "atomic operations for each 1024 elements",
             .measured = per({counter::atomic_sectors, counter::reduction_sectors}, n / 1024.0),
             .limit = lab::at_most(1),
             .good = 0.25,
             .good_when = "when a block adds up its own elements first, many for each thread",
             .naive = 32,
             .naive_when = "when every thread adds its element to *sum, even if each warp merges "
                           "what its lanes add",
             .advice = "Atomic operations on one address take turns. One for each block is enough, "
                       "and the grid need not have more\nblocks than fit on the device: let each "
                       "thread take many elements, a whole grid apart."});
}
