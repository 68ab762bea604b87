// Whether an instantiated graph can take over the work of another one.
#pragma once

#include "sim/runtime/graph.h"

namespace sim::runtime {

// Pairs the nodes of both graphs from their ends backwards, in the order of their edges. When they
// do not fit, says why and at which node of `graph`, and changes nothing.
cudaGraphExecUpdateResultInfo update(Graph& instantiated, const Graph& graph);

}  // namespace sim::runtime
