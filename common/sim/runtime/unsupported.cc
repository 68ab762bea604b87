#include "sim/runtime/unsupported.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <string>

#include <cuda_runtime_api.h>

#include "sim/runtime/context.h"

namespace sim::runtime {

int unsupported(const char* function) {
  static std::mutex mutex;
  static std::set<std::string> said;
  {
    const std::lock_guard lock(mutex);
    if (said.insert(function).second)
      std::fprintf(stderr,
                   "%s is not simulated: it returns cudaErrorNotSupported and does nothing. The "
                   "manual lists what is.\n",
                   function);
  }
  return Context::get().query([](Context&) { return cudaErrorNotSupported; });
}

}  // namespace sim::runtime
