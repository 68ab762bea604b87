// Objects of the program's that graphs need: they are destroyed when nobody holds them any more.
#include "sim/runtime/nodes.h"

using namespace sim::runtime;

namespace {

using Objects = std::map<cudaUserObject_t, Graph::Owned>;

cudaError_t retain(Objects& holder, const std::shared_ptr<CUuserObject_st>& object,
                   unsigned count) {
  Graph::Owned& owned = holder[object.get()];
  owned.object = object;
  owned.count += count;
  return cudaSuccess;
}
cudaError_t release(Objects& holder, cudaUserObject_t object, unsigned count) {
  const auto it = holder.find(object);
  if (count == 0 || it == holder.end() || it->second.count < count) return cudaErrorInvalidValue;
  it->second.count -= count;
  if (it->second.count == 0) holder.erase(it);
  return cudaSuccess;
}

// Who holds it: the program, or some graph.
std::shared_ptr<CUuserObject_st> find(Context& c, cudaUserObject_t object) {
  const auto it = c.graphs.objects.find(object);
  return it == c.graphs.objects.end() ? nullptr : it->second.object;
}

}  // namespace

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* data, cudaHostFn_t destroy,
                                 unsigned count, unsigned flags) {
  return api([&](Context& c) {
    if (!out || !destroy || count == 0 || flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    const auto object = std::make_shared<CUuserObject_st>(data, destroy);
    *out = object.get();
    return retain(c.graphs.objects, object, count);
  });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return api([&](Context& c) {
    const auto known = find(c, object);
    return known && count > 0 ? retain(c.graphs.objects, known, count) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return api([&](Context& c) { return release(c.graphs.objects, object, count); });
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return of_graph(graph, [&](Context& c, Graph& g) {
    const auto known = find(c, object);
    if (!known || count == 0 || (flags & ~cudaGraphUserObjectMove)) return cudaErrorInvalidValue;
    if (flags & cudaGraphUserObjectMove)
      if (const cudaError_t error = release(c.graphs.objects, object, count); error != cudaSuccess)
        return error;
    return retain(g.objects, known, count);
  });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return of_graph(graph, [&](Context&, Graph& g) { return release(g.objects, object, count); });
}

}  // extern "C"
