// Stream capture: while a stream is captured, what would be queued in it becomes nodes of a graph.
//
// Other streams take part once they wait for an event that was recorded in the capture, and must be
// waited for in turn before it ends. What cannot be written down (waiting, asking, blocking copies,
// work in the legacy default stream beside it) ends the capture: it becomes invalid, as CUDA
// requires, and is an error until cudaStreamEndCapture has told so.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "sim/runtime/context.h"
#include "sim/runtime/host_lines.h"

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
  if (work.is_legacy(s)) {
    report(
        check::Kind::api_misuse, "the default stream cannot be captured.",
        "Capture a stream that cudaStreamCreate made, and give it to all that is to be captured.");
    return cudaErrorStreamCaptureUnsupported;
  }
  if (s.capture) return cudaErrorIllegalState;
  s.capture = std::make_shared<Capture>();
  s.capture->origin = &s;
  s.capture->mode = mode;
  s.capture->id = ++captures_;
  s.capture->made_for_it = into == nullptr;
  s.capture->graph = into ? into : graphs.keep(std::make_unique<Graph>());
  s.capture->site = here();
  s.captured_after.clear();
  return cudaSuccess;
}

void Context::spoil(Capture& capture, const std::string& what, const std::string& advice) {
  if (std::exchange(capture.invalid, true)) return;
  const check::SourceLine began = source_line(capture.site);
  report(check::Kind::api_misuse,
         what + ": the capture" +
             (began.line > 0 ? " that began at line " + std::to_string(began.line) : "") +
             " is invalid, and ends without a graph.",
         advice);
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
    spoil(
        *capture, "this call ends the capture in another stream than the one that began it",
        "cudaStreamEndCapture goes to the stream that cudaStreamBeginCapture was given; the other "
        "streams are joined to it by events.");
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
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    spoil(*capture, "this call ends the capture in another thread than the one that began it",
          "Call cudaStreamEndCapture in the thread that called cudaStreamBeginCapture, or begin "
          "with cudaStreamCaptureModeRelaxed.");
    return fail(cudaErrorStreamCaptureWrongThread);
  }
  // Every branch must have been waited for: what comes last is what the stream would go on after.
  for (GraphNode* leaf : capture->graph->leaves())
    if (!joined.count(leaf) && std::ranges::find(capture->nodes, leaf) != capture->nodes.end()) {
      const check::SourceLine at = source_line(leaf->task.site);
      report(check::Kind::api_misuse,
             "the capture ends while the stream that began it has not waited for work of another" +
                 (at.line > 0 ? ", captured at line " + std::to_string(at.line) : std::string()) +
                 ": there is no graph.",
             "Record an event in the other stream after its last work, and let the first wait for "
             "it (cudaStreamWaitEvent) before cudaStreamEndCapture.");
      return fail(cudaErrorStreamCaptureUnjoined);
    }
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
      spoil(*other->capture,
            "this call works in the default stream, which would have to wait for a stream that is "
            "being captured",
            "Give the work the captured stream, so that it becomes part of the graph, or make the "
            "call before or after the capture.");
      error = cudaErrorStreamCaptureImplicit;
    }
  return error;
}

namespace {

constexpr const char* waits = "this call waits for a stream that is being captured";
constexpr const char* nothing_to_wait_for =
    "Nothing runs during a capture, so that there is nothing to wait for: wait after "
    "cudaGraphLaunch.";

}  // namespace

cudaError_t Context::refuse_to_wait(Stream& s) {
  if (s.capture) {
    spoil(*s.capture, waits, nothing_to_wait_for);
    return cudaErrorStreamCaptureUnsupported;
  }
  return work.is_legacy(s) ? refuse_for_capture() : refuse_unsafe_while_capturing();
}

cudaError_t Context::refuse_to_wait_for_all() {
  cudaError_t error = cudaSuccess;
  for (const Stream* s : work.all_streams())
    if (s->capture && s->device == ordinal()) {
      spoil(*s->capture, waits, nothing_to_wait_for);
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
      spoil(*s->capture, "this call may wait for the device, which a capture does not allow",
            "Make the call before the capture, or begin the capture with "
            "cudaStreamCaptureModeRelaxed if it cannot disturb what is captured.");
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
    const char* const apart =
        "Each capture becomes a graph of its own: an event of one cannot order "
        "work of the other.";
    spoil(*s.capture, "this stream waits for an event of another capture", apart);
    spoil(*capture, "a stream of another capture waits for an event of this one", apart);
    return cudaErrorStreamCaptureMerge;
  }
  if (work.is_legacy(s)) {
    spoil(*capture, "the default stream waits for an event of a capture",
          "The default stream cannot be captured: let a stream that cudaStreamCreate made wait.");
    return cudaErrorStreamCaptureImplicit;
  }
  s.capture = capture;
  for (GraphNode* node : event->captured_after)
    if (std::ranges::find(s.captured_after, node) == s.captured_after.end())
      s.captured_after.push_back(node);
  return cudaSuccess;
}

}  // namespace sim::runtime
