#include "sim/runtime/unsupported.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <string>

#include <cuda_runtime_api.h>

#include "sim/runtime/context.h"

namespace sim::runtime {

int unsupported(const char* function, const char* nearest) {
  static std::mutex mutex;
  static std::set<std::string> said;
  {
    const std::lock_guard lock(mutex);
    if (said.insert(function).second)
      std::fprintf(
          stderr,
          "%s is not simulated: the call returns cudaErrorNotSupported and does nothing. %s%sThe "
          "manual lists what is.\n",
          function, nearest, *nearest ? " " : "");
  }
  return Context::get().query([](Context&) { return cudaErrorNotSupported; });
}

}  // namespace sim::runtime
