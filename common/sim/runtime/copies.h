// Copies and fills: where their bytes are, whether they may be touched, and the bytes' way.
//
// Every copy is checked against the allocations it touches, and a mistake is reported at the host's
// line, with the allocation it concerns, besides the error code that CUDA returns.
#pragma once

#include <cstddef>
#include <string>

#include <cuda_runtime_api.h>

#include "sim/runtime/context.h"

namespace sim::runtime {

// Rows of `width` bytes; row r of slice z starts at r * pitch + z * slice.
struct Extent {
  std::size_t width = 0, height = 1, depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};
struct Layout {
  std::size_t pitch = 0, slice = 0;
  // From the first byte to the last; all there is when it is more than a size can say.
  std::size_t span(const Extent& e) const {
    std::size_t rows = 0, slices = 0, sum = 0;
    const bool too_much = __builtin_mul_overflow(e.height - 1, pitch, &rows) ||
                          __builtin_mul_overflow(e.depth - 1, slice, &slices) ||
                          __builtin_add_overflow(rows, slices, &sum) ||
                          __builtin_add_overflow(sum, e.width, &sum);
    return too_much ? ~std::size_t{0} : sum;
  }
};

// One side of a copy or fill: where its bytes are.
struct Side {
  std::byte* data = nullptr;
  cudaError_t error = cudaSuccess;
  const memory::Allocation* allocation = nullptr;
  memory::Address begin = 0;  // in the allocation

  bool is_seen_by_host() const { return allocation && allocation->is_seen_by_host(); }
  bool is_pageable() const { return !allocation; }
  // Whose memory it is; `otherwise` when it is nobody's or everybody's.
  int device(int otherwise) const {
    return allocation && !is_seen_by_host() ? allocation->device : otherwise;
  }
  bool is_host() const {
    return !allocation || allocation->kind == memory::Kind::pinned ||
           allocation->kind == memory::Kind::registered;
  }
};
// The devices that a copy has to do with; the call's when it is all on the host.
struct Between {
  int from = 0, to = 0;
  bool several() const { return from != to; }
};
Between between(Context& c, const Side& source, const Side& target);
// Queues the copy. In a default stream it waits for the default streams of these devices, too, and
// they for it: so an H200 does it, whichever device is current.
OperationPtr submit_copy(Context& c, Task task, Between devices);
// Work of a graph that is launched when memory it touches is gone: that is told, and it is not
// done.
bool is_gone(Context& c, const Operation& o, memory::Address address, const char* role);

// Checks the bytes and reports what is wrong with them. `device`: whether the copy's direction says
// that this side is on the device; `known`: whether it says so at all.
Side side(Context& c, const void* pointer, std::size_t bytes, bool known, bool device,
          const char* call, const char* role);

struct Direction {
  bool known, from_device, to_device;
};
Direction direction(cudaMemcpyKind kind);

// For streamcheck: what a copy touches of one side, and what the host must leave alone until it is
// done. `touch`: read or written.
void add_side(Task& task, const Side& side, const Layout& layout, const Extent& e,
              check::Use touch);

cudaError_t null_pointer(Context& c, const char* call, const char* role);
cudaError_t pitch_too_small(Context& c, const char* call, std::size_t width, std::size_t pitch,
                            cudaError_t error);

// `bytes` at both offsets were copied, or made when there is no source: which of them were ever
// written is known of the target as it was of the source.
void note_copied(const Side& target, std::uint64_t to, const Side& source, std::uint64_t from,
                 std::uint64_t bytes);

cudaError_t copy(Context& c, void* to, Layout to_layout, const void* from, Layout from_layout,
                 Extent e, cudaMemcpyKind kind, const char* call);
cudaError_t copy(Context& c, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 const char* call);
// With elements of 1, 2 or 4 bytes.
cudaError_t fill_elements(Context& c, void* to, Layout layout, Extent e, unsigned value,
                          std::size_t element, const char* call);
cudaError_t fill(Context& c, void* to, Layout layout, Extent e, int value, const char* call);
// Between the variable that `symbol` names and `other`.
cudaError_t copy_symbol(Context& c, const void* symbol, void* other, std::size_t bytes,
                        std::size_t offset, cudaMemcpyKind kind, bool to_symbol, const char* call);

// "1 byte", "12 bytes"
std::string bytes_text(std::size_t n);

}  // namespace sim::runtime
