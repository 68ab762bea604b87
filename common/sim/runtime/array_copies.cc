#include "sim/runtime/array_copies.h"

#include <cstring>

namespace sim::runtime {

namespace {

using check::Kind;
using check::Use;
using Way = TimelineEntry::Kind;

// Whether the place and what is copied lie inside the array; a finding when not.
cudaError_t inside(Context& c, const ArrayPlace& p, const Extent& e, const char* call,
                   const char* role) {
  if (!c.images.is_array(p.array)) {
    c.report(Kind::api_misuse,
             std::string(call) + ": the " + role + " is an array that does not exist.",
             "It was freed already, or is no handle that cudaMallocArray gave.");
    return cudaErrorInvalidResourceHandle;
  }
  const memory::Image& image = p.array->image;
  const auto fits = [](std::size_t at, std::size_t n, std::size_t end) {
    return at <= end && n <= end - at;
  };
  if (fits(p.x, e.width, p.array->row_bytes()) && fits(p.y, e.height, image.height) &&
      fits(p.z, e.depth, image.depth))
    return cudaSuccess;
  const auto box = [](std::size_t w, std::size_t h, std::size_t d) {
    return bytes_text(w) + " x " + std::to_string(h) + (h == 1 ? " row" : " rows") +
           (d > 1 ? " x " + std::to_string(d) + " slices" : "");
  };
  const memory::Allocation* a = c.memory().find(image.begin);
  std::string place = "byte " + std::to_string(p.x) + ", row " + std::to_string(p.y);
  if (image.depth > 1) place += ", slice " + std::to_string(p.z);
  c.report(Kind::out_of_bounds,
           std::string(call) + " of " + box(e.width, e.height, e.depth) + " from " + place +
               " runs past the end of the " + role + ", an array of " +
               box(p.array->row_bytes(), image.height, image.depth) + ".",
           "Widths and offsets in x are in bytes for cudaMemcpy2DToArray and its like, and in "
           "texels for cudaMemcpy3D.",
           a);
  return cudaErrorInvalidValue;
}

// One side of the copy as a node of a graph tells it: an array, or memory.
struct Place {
  ArrayPlace array{};
  const void* pointer = nullptr;
  Layout layout{};

  cudaArray_t handle() const { return const_cast<cudaArray_t>(array.array); }
  cudaPos position() const {
    return array.array ? cudaPos{array.x / array.array->image.format.bytes(), array.y, array.z}
                       : cudaPos{};
  }
  cudaPitchedPtr memory() const {
    return {const_cast<void*>(pointer), layout.pitch, 0,
            layout.pitch == 0 ? 0 : layout.slice / layout.pitch};
  }
};
cudaMemcpy3DParms as_params(const Place& to, const Place& from, const Extent& e,
                            cudaMemcpyKind kind) {
  const cudaArray& any = *(to.array.array ? to.array.array : from.array.array);
  return {.srcArray = from.handle(),
          .srcPos = from.position(),
          .srcPtr = from.memory(),
          .dstArray = to.handle(),
          .dstPos = to.position(),
          .dstPtr = to.memory(),
          .extent = {e.width / any.image.format.bytes(), e.height, e.depth},
          .kind = kind};
}

void add_box(Task& task, const ArrayPlace& p, const Extent& e, Use touch) {
  const memory::Image& image = p.array->image;
  for (const auto& [begin, end] : image.stretches(p.x, p.y, p.z, e.width, e.height, e.depth))
    task.touched.of(touch).push_back({begin, end});
}

// A copy row by row; `from` and `to` say where both sides begin, `task` says all else.
void submit(Context& c, Task task, const Extent& e, Between devices, memory::Address from,
            memory::Address to, std::function<void(std::size_t y, std::size_t z)> row) {
  const bool to_host = task.kind == Way::copy_to_host;
  const bool waits = c.is_blocking() ? task.kind != Way::copy_on_device : task.pageable;
  const bool until_read = !c.is_blocking() && task.kind == Way::copy_to_device;
  if (task.kind == Way::copy_on_device && devices.several()) task.kind = Way::copy_between_devices;
  task.bytes = e.width * e.height * e.depth;
  task.body = [&c, e, from, to, row, to_host](Operation& o) {
    if (to_host && c.is_broken()) return;
    if (is_gone(c, o, from, "source") || is_gone(c, o, to, "destination")) return;
    for (std::size_t z = 0; z < e.depth; ++z)
      for (std::size_t y = 0; y < e.height; ++y) row(y, z);
  };
  const OperationPtr operation = submit_copy(c, std::move(task), devices);
  if (waits) until_read ? c.work.wait_until_read(operation) : c.work.wait(operation);
}

cudaError_t wrong_direction(Context& c, const char* call) {
  c.report(Kind::api_misuse, std::string(call) + ": the direction does not fit.",
           "An array is on the device: the cudaMemcpyKind names where the source is, then where "
           "the destination is.");
  return cudaErrorInvalidMemcpyDirection;
}

}  // namespace

cudaError_t copy_to_array(Context& c, ArrayPlace to, const void* from, Layout layout, Extent e,
                          cudaMemcpyKind kind, const char* call) {
  const Direction d = direction(kind);
  if (kind > cudaMemcpyDefault || (d.known && !d.to_device)) return wrong_direction(c, call);
  if (e.empty()) return cudaSuccess;
  if (e.width > layout.pitch)
    return pitch_too_small(c, call, e.width, layout.pitch, cudaErrorInvalidPitchValue);
  if (const cudaError_t error = inside(c, to, e, call, "destination"); error != cudaSuccess)
    return error;
  if (!from) return null_pointer(c, call, "source");
  const Side source = side(c, from, layout.span(e), d.known, d.from_device, call, "source");
  if (source.error != cudaSuccess) return source.error;
  Task task{.kind = source.is_host() ? Way::copy_to_device : Way::copy_on_device,
            .name = call,
            .pageable = source.is_pageable(),
            .params = as_params({.array = to}, {.pointer = from, .layout = layout}, e, kind)};
  add_side(task, source, layout, e, Use::read);
  add_box(task, to, e, Use::written);
  submit(
      c, std::move(task), e, {source.device(to.array->device), to.array->device}, source.begin,
      to.array->image.begin,
      [image = to.array->image, to, data = source.data, layout, e](std::size_t y, std::size_t z) {
        image.write(to.x, to.y + y, to.z + z, data + z * layout.slice + y * layout.pitch, e.width);
      });
  return cudaSuccess;
}

cudaError_t copy_from_array(Context& c, void* to, Layout layout, ArrayPlace from, Extent e,
                            cudaMemcpyKind kind, const char* call) {
  const Direction d = direction(kind);
  if (kind > cudaMemcpyDefault || (d.known && !d.from_device)) return wrong_direction(c, call);
  if (e.empty()) return cudaSuccess;
  if (e.width > layout.pitch)
    return pitch_too_small(c, call, e.width, layout.pitch, cudaErrorInvalidPitchValue);
  if (const cudaError_t error = inside(c, from, e, call, "source"); error != cudaSuccess)
    return error;
  if (!to) return null_pointer(c, call, "destination");
  const Side target = side(c, to, layout.span(e), d.known, d.to_device, call, "destination");
  if (target.error != cudaSuccess) return target.error;
  Task task{.kind = target.is_host() ? Way::copy_to_host : Way::copy_on_device,
            .name = call,
            .pageable = target.is_pageable(),
            .params = as_params({.pointer = to, .layout = layout}, {.array = from}, e, kind)};
  add_box(task, from, e, Use::read);
  add_side(task, target, layout, e, Use::written);
  submit(c, std::move(task), e, {from.array->device, target.device(from.array->device)},
         from.array->image.begin, target.begin,
         [image = from.array->image, from, target, layout, e](std::size_t y, std::size_t z) {
           const std::size_t at = z * layout.slice + y * layout.pitch;
           image.read(from.x, from.y + y, from.z + z, target.data + at, e.width);
           note_copied(target, at, {}, 0, e.width);
         });
  return cudaSuccess;
}

cudaError_t copy_between_arrays(Context& c, ArrayPlace to, ArrayPlace from, Extent e,
                                cudaMemcpyKind kind, const char* call) {
  const Direction d = direction(kind);
  if (kind > cudaMemcpyDefault || (d.known && !(d.from_device && d.to_device)))
    return wrong_direction(c, call);
  if (e.empty()) return cudaSuccess;
  if (const cudaError_t error = inside(c, from, e, call, "source"); error != cudaSuccess)
    return error;
  if (const cudaError_t error = inside(c, to, e, call, "destination"); error != cudaSuccess)
    return error;
  Task task{.kind = Way::copy_on_device,
            .name = call,
            .params = as_params({.array = to}, {.array = from}, e, kind)};
  add_box(task, from, e, Use::read);
  add_box(task, to, e, Use::written);
  submit(c, std::move(task), e, {from.array->device, to.array->device}, from.array->image.begin,
         to.array->image.begin,
         [to, from, target = to.array->image, source = from.array->image, e](std::size_t y,
                                                                             std::size_t z) {
           std::vector<std::byte> row(e.width);
           source.read(from.x, from.y + y, from.z + z, row.data(), e.width);
           target.write(to.x, to.y + y, to.z + z, row.data(), e.width);
         });
  return cudaSuccess;
}

cudaError_t copy_3d(Context& c, const cudaMemcpy3DParms* p, const char* call) {
  if (!p || (p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr))
    return cudaErrorInvalidValue;
  for (const cudaArray_t array : {p->srcArray, p->dstArray})
    if (array && !c.images.is_array(array)) return cudaErrorInvalidResourceHandle;
  const cudaArray* any = p->srcArray ? p->srcArray : p->dstArray;
  const std::size_t unit = any ? any->image.format.bytes() : 1;
  const Extent e{p->extent.width * unit, p->extent.height, p->extent.depth};
  const auto start = [](const cudaPitchedPtr& ptr, const cudaPos& pos) -> char* {
    if (!ptr.ptr) return nullptr;
    return static_cast<char*>(ptr.ptr) + pos.z * ptr.pitch * ptr.ysize + pos.y * ptr.pitch + pos.x;
  };
  const auto layout = [](const cudaPitchedPtr& ptr) -> Layout {
    return {ptr.pitch, ptr.pitch * ptr.ysize};
  };
  const auto place = [](const cudaArray* array, const cudaPos& pos) -> ArrayPlace {
    return {array, pos.x * array->image.format.bytes(), pos.y, pos.z};
  };
  // Rows that do not fit into their pitch are an invalid value here, not an invalid pitch.
  for (const cudaPitchedPtr& ptr : {p->srcPtr, p->dstPtr})
    if (any && ptr.ptr && !e.empty() && e.width > ptr.pitch)
      return pitch_too_small(c, call, e.width, ptr.pitch, cudaErrorInvalidValue);
  if (p->srcArray && p->dstArray)
    return copy_between_arrays(c, place(p->dstArray, p->dstPos), place(p->srcArray, p->srcPos), e,
                               p->kind, call);
  if (p->dstArray)
    return copy_to_array(c, place(p->dstArray, p->dstPos), start(p->srcPtr, p->srcPos),
                         layout(p->srcPtr), e, p->kind, call);
  if (p->srcArray)
    return copy_from_array(c, start(p->dstPtr, p->dstPos), layout(p->dstPtr),
                           place(p->srcArray, p->srcPos), e, p->kind, call);
  return copy(c, start(p->dstPtr, p->dstPos), layout(p->dstPtr), start(p->srcPtr, p->srcPos),
              layout(p->srcPtr), e, p->kind, call);
}

}  // namespace sim::runtime
