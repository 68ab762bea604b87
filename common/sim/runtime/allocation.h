// Device memory for the calls that allocate.
#pragma once

#include <cstddef>

#include "sim/runtime/context.h"

namespace sim::runtime {

// Sets `pointer`, to null when it fails or `bytes` is 0. The memory is the call's device's.
cudaError_t allocate(Context& c, void** pointer, std::size_t bytes,
                     memory::Kind kind = memory::Kind::device);

// The same for the work of the call's stream, in memory of this device.
cudaError_t allocate_in_stream(Context& c, void** pointer, std::size_t bytes, int device);

}  // namespace sim::runtime
