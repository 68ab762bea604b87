#include "sim/runtime/device_state.h"

namespace sim::runtime {

std::size_t* Limits::of(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize: return &stack;
    case cudaLimitPrintfFifoSize: return &printf_fifo;
    case cudaLimitMallocHeapSize: return &heap;
    case cudaLimitDevRuntimePendingLaunchCount: return &pending_launches;
    case cudaLimitMaxL2FetchGranularity: return &l2_fetch;
    case cudaLimitPersistingL2CacheSize: return &persisting_l2;
    default: return nullptr;
  }
}

}  // namespace sim::runtime
