// Capture: beginning and ending it, asking for it, and steering it.
#include <algorithm>
#include <utility>
#include <vector>

#include "sim/runtime/nodes.h"

namespace sim::runtime {

namespace {

cudaStreamCaptureStatus status_of(const Stream& s) {
  if (!s.capture) return cudaStreamCaptureStatusNone;
  return s.capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

// What so many edges carry: nothing. Guarded by the context's lock; the program may read it until
// its next call.
const cudaGraphEdgeData* plain_edges(std::size_t count) {
  static std::vector<cudaGraphEdgeData> edges;
  edges.resize(std::max(edges.size(), count));
  return edges.data();
}

bool is_mode(cudaStreamCaptureMode mode) {
  return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return of_stream(handle, "cudaStreamBeginCapture", [&](Context& c, Stream& s) {
    return is_mode(mode) ? c.begin_capture(s, mode) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                          const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* edges, size_t count,
                                          cudaStreamCaptureMode mode) {
  return of_stream(handle, "cudaStreamBeginCaptureToGraph", [&](Context& c, Stream& s) {
    if (!c.graphs.has(graph) || !is_mode(mode) || (count > 0 && !after))
      return cudaErrorInvalidValue;
    if (edges && !is_plain(edges, count)) return cudaErrorNotSupported;
    for (size_t i = 0; i < count; ++i)
      if (const GraphNode* node = c.graphs.node(after[i]); !node || node->graph != graph)
        return cudaErrorInvalidValue;
    for (const Stream* other : c.work.all_streams())
      if (other->capture && other->capture->graph == graph) return cudaErrorIllegalState;
    const cudaError_t error = c.begin_capture(s, mode, graph);
    if (error == cudaSuccess) s.captured_after.assign(after, after + count);
    return error;
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return of_stream(handle, "cudaStreamEndCapture", [&](Context& c, Stream& s) {
    return graph ? c.end_capture(s, *graph) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return of_stream(handle, "cudaStreamIsCapturing", [&](Context&, Stream& s) {
    if (!status) return cudaErrorInvalidValue;
    *status = status_of(s);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     size_t* count) {
  return of_stream(handle, "cudaStreamGetCaptureInfo", [&](Context&, Stream& s) {
    if (!status) return cudaErrorInvalidValue;
    *status = status_of(s);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = s.capture->id;
    if (graph) *graph = s.capture->graph;
    if (after) *after = s.captured_after.data();
    if (edges) *edges = plain_edges(s.captured_after.size());
    if (count) *count = s.captured_after.size();
    return cudaSuccess;
  });
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* after,
                                                const cudaGraphEdgeData* edges, size_t count,
                                                unsigned flags) {
  return of_stream(handle, "cudaStreamUpdateCaptureDependencies", [&](Context& c, Stream& s) {
    if (!s.capture) return cudaErrorIllegalState;
    if (s.capture->invalid) return cudaErrorStreamCaptureInvalidated;
    if (flags > cudaStreamSetCaptureDependencies || (count > 0 && !after))
      return cudaErrorInvalidValue;
    if (edges && !is_plain(edges, count)) return cudaErrorNotSupported;
    for (size_t i = 0; i < count; ++i)
      if (const GraphNode* node = c.graphs.node(after[i]); !node || node->graph != s.capture->graph)
        return cudaErrorInvalidValue;
    if (flags == cudaStreamSetCaptureDependencies) s.captured_after.clear();
    for (size_t i = 0; i < count; ++i)
      if (std::ranges::find(s.captured_after, after[i]) == s.captured_after.end())
        s.captured_after.push_back(after[i]);
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api([&](Context&) {
    if (!mode) return cudaErrorInvalidValue;
    std::swap(*mode, Context::capture_mode_of_thread());
    return cudaSuccess;
  });
}

}  // extern "C"
