// Streams and events: what the rest of the runtime asks about them.
#pragma once

#include <cuda_runtime_api.h>

namespace sim::runtime {

// The default streams, and those that were made and not yet destroyed.
bool is_stream(cudaStream_t stream);
void destroy_streams_and_events();  // cudaDeviceReset

}  // namespace sim::runtime
