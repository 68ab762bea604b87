// A graph as a drawing for Graphviz.
#pragma once

#include <string>

#include "sim/runtime/graph.h"

namespace sim::runtime {

std::string drawing(const Graph& graph);

}  // namespace sim::runtime
