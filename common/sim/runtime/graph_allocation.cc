// Memory that graphs allocate: the work of their nodes, and what a launch does before it.
#include <algorithm>
#include <set>

#include "sim/runtime/allocation.h"
#include "sim/runtime/api.h"

namespace sim::runtime {

namespace {

using memory::Address;

// What the nodes of a graph allocate and give back.
struct Plan {
  std::set<Address> allocated, freed;
};
Plan plan_of(const Graph& graph) {
  Plan plan;
  for (const GraphNode* node : graph.all_nodes())
    if (const auto* p = std::get_if<cudaMemAllocNodeParams>(&node->task.params))
      plan.allocated.insert(address_of(p->dptr));
    else if (const auto* q = std::get_if<cudaMemFreeNodeParams>(&node->task.params))
      plan.freed.insert(address_of(q->dptr));
  return plan;
}

Task release_task(Context& c, const memory::Allocation& a, const char* name) {
  return {.name = name,
          .params = cudaMemFreeNodeParams{reinterpret_cast<void*>(a.begin)},
          .action = check::Action::Kind::release,
          .touched = whole(a),
          .body = [&c, begin = a.begin](Operation& o) {
            c.work.finish_before(o);
            c.release(begin, o.site);
          }};
}

}  // namespace

cudaError_t allocate_in_graph(Context& c, cudaMemAllocNodeParams& p, const char* call) {
  const memory::Allocation* const a =
      c.memory().reserve_addresses(p.bytesize, c.here(), p.poolProps.location.id);
  if (!a) return cudaErrorMemoryAllocation;
  p.dptr = reinterpret_cast<void*>(a->begin);
  c.graphs.memory.add(*a);
  c.submit({.name = call,
            .params = p,
            .action = check::Action::Kind::allocation,
            .touched = whole(*a),
            .body = [&c, begin = a->begin](Operation&) {
              if (!c.memory().renew(begin)) c.fail(cudaErrorMemoryAllocation);
            }});
  return cudaSuccess;
}

cudaError_t release_in_graph(Context& c, const Graph& graph, void* pointer) {
  if (!c.graphs.memory.has(address_of(pointer)) || plan_of(graph).freed.count(address_of(pointer)))
    return cudaErrorInvalidValue;
  c.submit(release_task(c, *c.memory().find_reserved(address_of(pointer)), "free node"));
  return cudaSuccess;
}

cudaError_t take_memory_of(Context& c, GraphExec& exec, Stream& stream) {
  const Plan plan = plan_of(*exec.graph);
  GraphMemory& memory = c.graphs.memory;
  const bool frees_first = exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
  for (const Address begin : plan.allocated)
    if (memory.is_taken(begin) && !frees_first) {
      c.report(check::Kind::api_misuse,
               "cudaGraphLaunch: the graph still holds memory that its last launch allocated.",
               "Free it first: with cudaFree or cudaFreeAsync, or in a node of this graph or "
               "another. Or instantiate the graph with cudaGraphInstantiateFlagAutoFreeOnLaunch.",
               c.memory().find_reserved(begin));
      return cudaErrorInvalidValue;
    }
  for (const Address begin : plan.freed)
    if (!plan.allocated.count(begin) && !memory.is_taken(begin)) {
      c.report(check::Kind::api_misuse,
               "cudaGraphLaunch: the graph frees memory that is not allocated now.",
               "Launch the graph that allocates it first, once for each time it is freed.",
               c.memory().find_reserved(begin));
      return cudaErrorInvalidValue;
    }
  std::uint64_t own = 0;
  std::vector<Address> kept;
  for (const Address begin : plan.allocated) {
    const memory::Allocation& a = *c.memory().find_reserved(begin);
    if (memory.is_taken(begin)) c.work.issue(stream, release_task(c, a, "cudaGraphLaunch"));
    // At once, since the host may hand over work with it; what an earlier launch has, it keeps
    // until it is done.
    if (!a.live && !c.memory().renew(begin)) return cudaErrorMemoryAllocation;
    if (plan.freed.count(begin))
      own += a.bytes;
    else
      kept.push_back(begin);
  }
  memory.launched(stream.device, stream.number, own, kept);
  for (const Address begin : plan.freed) memory.given_back(begin);
  return cudaSuccess;
}

}  // namespace sim::runtime
