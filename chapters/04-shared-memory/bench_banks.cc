// The same loads from shared memory with strides from no conflict to the worst.
#include "bench/bench.h"
#include "loads.cuh"

#include <string>

void bench::run() {
  constexpr int blocks = 1056, threads = 256;
  float* out = device_floats(blocks * threads);
  for (const int stride : {1, 2, 4, 8, 16, 32, 33})
    measure("stride " + std::to_string(stride),
            "1056 blocks of 8 warps, each with 8000 loads of 4 bytes from shared memory",
            {.loads = double{blocks} * threads / 32 * loads_each},
            [&] { load_often(blocks, threads, stride, out); });
}
