// Measuring on a real GPU: how long a call takes, beside a plain copy of device memory in the same
// run.
//
// A chapter's bench.cc defines bench::run(), which sets a problem up and hands over the call. The
// program prints what it measured as JSON; `./lab bench` runs the programs and gathers the results.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace bench {

// Defined by each chapter's bench.cc.
void run();

// What a call has to do at least, whoever does it.
struct Work {
  double bytes = 0;       // that must cross the memory's interface, reads and writes together
  double operations = 0;  // additions and multiplications
  double link = 0;        // bytes that must cross between host and device
  double loads = 0;       // of a warp, from shared memory
};

// Calls `call` often, in turns with a copy within device memory, and prints one line of JSON: the
// median time with its extremes, and the copy's. The call may be asynchronous. `of` says in words
// what is computed; `row` tells measurements of one program apart, and is empty if there is one.
void measure(const std::string& row, const std::string& of, const Work& work,
             const std::function<void()>& call);

// n floats of device memory that hold small numbers; freed when the program ends.
float* device_floats(std::size_t n);

}  // namespace bench
