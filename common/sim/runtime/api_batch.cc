// Batches: copies that are handed over together, and have no order among themselves.
#include <string>

#include "sim/runtime/api.h"
#include "sim/runtime/array_copies.h"

using namespace sim::runtime;

namespace {

bool is_order(cudaMemcpySrcAccessOrder order) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

// In a stream of its own right, outside of captures.
template <class Body>
cudaError_t batch_api(cudaStream_t stream, const char* call, Body&& body) {
  return stream_api(stream, call, [&](Context& c) {
    if (c.work.is_legacy(c.stream())) return cudaErrorInvalidValue;
    return c.stream().capture ? cudaErrorStreamCaptureUnsupported : body(c);
  });
}

// Copies of one batch may run in any order: what one writes is for no other of them.
void report_overlaps(Context& c, void* const* to, const void* const* from, const std::size_t* sizes,
                     std::size_t count) {
  const auto meet = [&](const void* a, std::size_t n, const void* b, std::size_t m) {
    return n > 0 && m > 0 && address_of(a) < address_of(b) + m && address_of(b) < address_of(a) + n;
  };
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < count; ++k) {
      const bool written_twice = i < k && meet(to[i], sizes[i], to[k], sizes[k]);
      if (i == k || !(written_twice || meet(to[i], sizes[i], from[k], sizes[k]))) continue;
      c.report(sim::check::Kind::stream_race,
               "cudaMemcpyBatchAsync: copies " + std::to_string(i) + " and " + std::to_string(k) +
                   " of the batch meet in memory that one of them writes.",
               "Copies of a batch have no order among themselves. Put the second one into another "
               "batch.",
               c.memory().find(address_of(to[i])));
      return;
    }
}

cudaError_t copy_batch(Context& c, void* const* to, const void* const* from,
                       const std::size_t* sizes, std::size_t count,
                       const cudaMemcpyAttributes* attributes, const std::size_t* begins,
                       std::size_t kinds) {
  if (!to || !from || !sizes || !attributes || !begins || count == 0 || kinds == 0 ||
      kinds > count || begins[0] != 0)
    return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < kinds; ++i)
    if (!is_order(attributes[i].srcAccessOrder) || (i > 0 && begins[i] <= begins[i - 1]))
      return cudaErrorInvalidValue;
  report_overlaps(c, to, from, sizes, count);
  for (std::size_t i = 0, kind = 0; i < count; ++i) {
    while (kind + 1 < kinds && begins[kind + 1] <= i) ++kind;
    if (const cudaError_t error =
            copy(c, to[i], from[i], sizes[i], cudaMemcpyDefault, "cudaMemcpyBatchAsync");
        error != cudaSuccess)
      return error;
    // The source may be changed as soon as the call returns.
    if (attributes[kind].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall)
      c.work.wait(c.stream().last);
  }
  return cudaSuccess;
}

// Rows of so many elements of one byte; 0 stands for rows that lie close together.
cudaPitchedPtr pointer(const cudaMemcpy3DOperand& o, const cudaExtent& e) {
  const auto& p = o.op.ptr;
  return {p.ptr, p.rowLength != 0 ? p.rowLength : e.width, 0,
          p.layerHeight != 0 ? p.layerHeight : e.height};
}
cudaPos position(const cudaMemcpy3DOperand& o) {
  return {o.op.array.offset.x, o.op.array.offset.y, o.op.array.offset.z};
}

cudaError_t copy_in_space(Context& c, const cudaMemcpy3DBatchOp& op) {
  if (!is_order(op.srcAccessOrder)) return cudaErrorInvalidValue;
  cudaMemcpy3DParms p{};
  if (op.src.type == cudaMemcpyOperandTypeArray) {
    p.srcArray = op.src.op.array.array;
    p.srcPos = position(op.src);
  } else {
    p.srcPtr = pointer(op.src, op.extent);
  }
  if (op.dst.type == cudaMemcpyOperandTypeArray) {
    p.dstArray = op.dst.op.array.array;
    p.dstPos = position(op.dst);
  } else {
    p.dstPtr = pointer(op.dst, op.extent);
  }
  p.extent = op.extent;
  p.kind = cudaMemcpyDefault;
  const cudaError_t error = copy_3d(c, &p, "cudaMemcpy3DBatchAsync");
  if (error == cudaSuccess && op.srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall)
    c.work.wait(c.stream().last);
  return error;
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes,
                                 size_t count, cudaMemcpyAttributes* attributes, size_t* begins,
                                 size_t kinds, cudaStream_t stream) {
  return batch_api(stream, "cudaMemcpyBatchAsync", [&](Context& c) {
    return copy_batch(c, to, from, sizes, count, attributes, begins, kinds);
  });
}
cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* list,
                                   unsigned long long flags, cudaStream_t stream) {
  return batch_api(stream, "cudaMemcpy3DBatchAsync", [&](Context& c) {
    if (count == 0 || !list || flags != 0) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (const cudaError_t error = copy_in_space(c, list[i]); error != cudaSuccess) return error;
    return cudaSuccess;
  });
}

}  // extern "C"
