// Stream capture: while a stream is captured, what would be queued in it becomes nodes of a graph.
//
// Other streams take part once they wait for an event that was recorded in the capture, and must be
// waited for in turn before it ends. What cannot be written down (waiting, asking, blocking copies,
// work in the legacy default stream beside it) ends the capture: it becomes invalid, as CUDA
// requires, and is an error until cudaStreamEndCapture has told so.
#include <algorithm>
#include <set>

#include "sim/runtime/context.h"

namespace sim::runtime {

cudaGraphNodeType node_type(const Task& task) {
  using Kind = TimelineEntry::Kind;
  if (std::holds_alternative<cudaMemAllocNodeParams>(task.params)) return cudaGraphNodeTypeMemAlloc;
  if (std::holds_alternative<cudaMemFreeNodeParams>(task.params)) return cudaGraphNodeTypeMemFree;
  switch (task.kind) {
    case Kind::kernel: return cudaGraphNodeTypeKernel;
    case Kind::copy_to_device:
    case Kind::copy_to_host:
    case Kind::copy_on_device:
    case Kind::copy_between_devices:
    case Kind::copy_on_host: return cudaGraphNodeTypeMemcpy;
    case Kind::fill: return cudaGraphNodeTypeMemset;
    case Kind::host_function: return cudaGraphNodeTypeHost;
    case Kind::marker: return cudaGraphNodeTypeEmpty;
  }
  return cudaGraphNodeTypeEmpty;
}

cudaError_t Context::begin_capture(Stream& s, cudaStreamCaptureMode mode, Graph* into) {
  if (work.is_legacy(s)) return cudaErrorStreamCaptureUnsupported;
  if (s.capture) return cudaErrorIllegalState;
  s.capture = std::make_shared<Capture>();
  s.capture->origin = &s;
  s.capture->mode = mode;
  s.capture->id = ++captures_;
  s.capture->made_for_it = into == nullptr;
  s.capture->graph = into ? into : graphs.keep(std::make_unique<Graph>());
  s.captured_after.clear();
  return cudaSuccess;
}

GraphNode* Context::capture(cudaGraphNodeType type, Task task) {
  Stream& s = stream();
  GraphNode* const node = s.capture->graph->add(type, std::move(task), s.captured_after);
  s.captured_after = {node};
  s.capture->nodes.push_back(node);
  return node;
}

cudaError_t Context::end_capture(Stream& s, cudaGraph_t& graph) {
  graph = nullptr;
  const std::shared_ptr<Capture> capture = s.capture;
  if (!capture) return cudaErrorIllegalState;
  if (capture->origin != &s) {
    capture->invalid = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  const std::set<const GraphNode*> joined(s.captured_after.begin(), s.captured_after.end());
  for (Stream* other : work.all_streams())
    if (other->capture == capture) {
      other->capture = nullptr;
      other->captured_after.clear();
    }
  const auto fail = [&](cudaError_t error) {
    if (capture->made_for_it) graphs.destroy(capture->graph);
    return error;
  };
  if (capture->invalid) return fail(cudaErrorStreamCaptureInvalidated);
  // Every branch must have been waited for: what comes last is what the stream would go on after.
  for (GraphNode* leaf : capture->graph->leaves())
    if (!joined.count(leaf) && std::ranges::find(capture->nodes, leaf) != capture->nodes.end())
      return fail(cudaErrorStreamCaptureUnjoined);
  graph = capture->graph;
  return cudaSuccess;
}

cudaError_t Context::refuse_for_capture() {
  const Stream& s = stream();
  if (s.capture) return s.capture->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  if (!work.is_legacy(s) || sink_) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  for (const Stream* other : work.all_streams())
    if (other->capture && other->is_blocking() && other->device == s.device) {
      other->capture->invalid = true;
      error = cudaErrorStreamCaptureImplicit;
    }
  return error;
}

cudaError_t Context::refuse_to_wait(Stream& s) {
  if (s.capture) {
    s.capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return work.is_legacy(s) ? refuse_for_capture() : refuse_unsafe_while_capturing();
}

cudaError_t Context::refuse_to_wait_for_all() {
  cudaError_t error = cudaSuccess;
  for (const Stream* s : work.all_streams())
    if (s->capture && s->device == ordinal()) {
      s->capture->invalid = true;
      error = cudaErrorStreamCaptureUnsupported;
    }
  return error;
}

cudaStreamCaptureMode& Context::capture_mode_of_thread() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

// A thread's own captures forbid it, and global ones of other threads, unless it has said that it
// does not mind.
cudaError_t Context::refuse_unsafe_while_capturing() {
  const cudaStreamCaptureMode mine = capture_mode_of_thread();
  if (mine == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  const auto forbids = [&](const Capture& capture) {
    if (capture.mode == cudaStreamCaptureModeRelaxed) return false;
    return capture.thread == std::this_thread::get_id() ||
           (capture.mode == cudaStreamCaptureModeGlobal && mine == cudaStreamCaptureModeGlobal);
  };
  cudaError_t error = cudaSuccess;
  for (const Stream* s : work.all_streams())
    if (s->capture && forbids(*s->capture)) {
      s->capture->invalid = true;
      error = cudaErrorStreamCaptureUnsupported;
    }
  return error;
}

cudaError_t Context::join_capture(cudaEvent_t event) {
  Stream& s = stream();
  const std::shared_ptr<Capture> capture = event->capture.lock();
  const bool is_open = capture && std::ranges::any_of(work.all_streams(), [&](const Stream* other) {
                         return other->capture == capture;
                       });
  if (!is_open) return cudaErrorCapturedEvent;
  if (capture->invalid)
    return s.capture == capture ? cudaErrorStreamCaptureInvalidated : cudaErrorInvalidValue;
  if (s.capture && s.capture != capture) {
    s.capture->invalid = capture->invalid = true;
    return cudaErrorStreamCaptureMerge;
  }
  if (work.is_legacy(s)) {
    capture->invalid = true;
    return cudaErrorStreamCaptureImplicit;
  }
  s.capture = capture;
  for (GraphNode* node : event->captured_after)
    if (std::ranges::find(s.captured_after, node) == s.captured_after.end())
      s.captured_after.push_back(node);
  return cudaSuccess;
}

}  // namespace sim::runtime
