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

// A node that allocates; sets the address in `p`.
cudaError_t allocate_in_graph(Context& c, cudaMemAllocNodeParams& p, const char* call);
// A node that gives memory of a graph back; `graph`: where it is added.
cudaError_t release_in_graph(Context& c, const Graph& graph, void* pointer);
// At a launch in the stream: the memory that the graph allocates is there from now on.
cudaError_t take_memory_of(Context& c, GraphExec& exec, Stream& stream);

// All of it, for streamcheck.
check::Footprint whole(const memory::Allocation& a);

}  // namespace sim::runtime
