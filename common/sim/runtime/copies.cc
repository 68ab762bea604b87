#include "sim/runtime/copies.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include <sys/uio.h>
#include <unistd.h>

#include "sim/runtime/api.h"

namespace sim::runtime {

using check::Kind;

std::string bytes_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

Direction direction(cudaMemcpyKind kind) {
  return {kind != cudaMemcpyDefault,
          kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
          kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice};
}

namespace {

// Whether the host has the address of device memory there, as in cudaMemcpy(&d, …).
bool holds_device_pointer(Context& c, const void* place) {
  memory::Address held = 0;
  const iovec from{const_cast<void*>(place), sizeof held}, to{&held, sizeof held};
  // By way of the system, which refuses what cannot be read.
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof held &&
         c.memory().in_window(held) && c.memory().find(held) != nullptr;
}

}  // namespace

Side side(Context& c, const void* pointer, std::size_t bytes, bool known, bool device,
          const char* call, const char* role) {
  const memory::Address address = address_of(pointer);
  const memory::Allocation* a = c.memory().find(address);
  if (!a && c.is_writing_down()) a = c.memory().find_reserved(address);
  const bool in_window = c.memory().in_window(address);
  const std::string start = std::string(call) + ": the " + role + " ";
  if (known && device && !a && !in_window) {
    c.report(
        Kind::api_misuse, start + "is host memory, and the direction says device.",
        holds_device_pointer(c, pointer)
            ? "A pointer to device memory lies there: give the pointer itself, not its address "
              "(d, not &d)."
            : "Check the order of the pointers and the cudaMemcpyKind: destination first, then "
              "source.");
    return {nullptr, cudaErrorInvalidValue};
  }
  if (!in_window && !a) return {static_cast<std::byte*>(const_cast<void*>(pointer)), cudaSuccess};
  if (!a) {
    const memory::Allocation* near = c.memory().nearest(address);
    const bool stale = near && !near->live && near->contains(address, 1);
    if (stale && near->reserved)
      c.report(Kind::use_after_free,
               start + "is memory of a graph, which has not allocated it yet or has given it back.",
               "It is there from the launch of the graph until it is freed.", near);
    else
      c.report(stale ? Kind::use_after_free : Kind::out_of_bounds,
               start + (stale ? "was already freed." : "is not inside any allocation."),
               stale ? "Copy before you free." : "Check the pointer and the offset added to it.",
               near);
    return {nullptr, cudaErrorInvalidValue};
  }
  if (!a->contains(address, bytes)) {
    c.report(
        Kind::out_of_bounds,
        std::string(call) + " of " + bytes_text(bytes) + " runs past the end of the " + role +
            ", which has " + bytes_text(a->end() - address) + " from there.",
        std::string_view(call).find_first_of("23") != std::string_view::npos
            ? "Width and pitch count bytes, the height counts rows, and the width comes first: "
              "compare them with the allocation."
            : "Sizes are in bytes: n * sizeof(T) for n elements, the same at allocation and "
              "copy.",
        a);
    return {nullptr, cudaErrorInvalidValue};
  }
  return {a->data + (address - a->begin), cudaSuccess, a, address};
}

bool is_gone(Context& c, const Operation& o, memory::Address address, const char* role) {
  if (!o.in_graph || address == 0 || c.memory().find(address)) return false;
  c.report_at(o.site, Kind::use_after_free,
              o.name + " in a graph: the " + role + " is memory that was freed.",
              "A graph keeps the addresses that it was made with: free what it uses after its last "
              "launch, or give its nodes other memory.",
              c.memory().nearest(address));
  c.fail(cudaErrorIllegalAddress);
  return true;
}

// ---- Between devices ----

Between between(Context& c, const Side& source, const Side& target) {
  return {source.device(target.device(c.ordinal())), target.device(source.device(c.ordinal()))};
}

OperationPtr submit_copy(Context& c, Task task, Between devices) {
  std::set<int> others{devices.from, devices.to};
  others.erase(c.ordinal());
  if (others.empty() || c.is_writing_down() || !c.work.is_legacy(c.stream()))
    return c.submit(std::move(task));
  std::vector<OperationPtr> before;
  for (const int d : others)
    for (OperationPtr& o : c.work.last_of(c.work.legacy(d))) before.push_back(std::move(o));
  const OperationPtr operation = c.submit(std::move(task), std::move(before));
  for (const int d : others) c.work.legacy(d).last = operation;
  return operation;
}

// ---- For streamcheck ----

namespace {

void add_rows(check::Ranges& ranges, memory::Address first, const Layout& layout, const Extent& e) {
  for (std::size_t z = 0; z < e.depth; ++z)
    for (std::size_t r = 0; r < e.height; ++r) {
      const memory::Address begin = first + z * layout.slice + r * layout.pitch;
      if (!ranges.empty() && ranges.back().end == begin)
        ranges.back().end = begin + e.width;
      else
        ranges.push_back({begin, begin + e.width});
    }
}

}  // namespace

void add_side(Task& task, const Side& side, const Layout& layout, const Extent& e,
              check::Use touch) {
  if (side.is_pageable())  // the copy that is queued returns when it is done, except in a graph
    return add_rows(task.unguarded, address_of(side.data), layout, e);
  check::Ranges& rows = task.touched.of(touch);
  add_rows(rows, side.begin, layout, e);
  if (!side.is_seen_by_host()) return;
  for (const check::Bytes& b : rows) {
    const HostPages::Guard guard{.bytes = b,
                                 .host_may_read = touch == check::Use::read,
                                 .one_view = side.allocation->kind == memory::Kind::registered};
    task.guards.push_back(guard);
    for (const check::Bytes& edge : HostPages::unguarded(guard)) task.unguarded.push_back(edge);
  }
}

namespace {

// As a node of a graph tells it.
cudaMemcpy3DParms as_params(const void* to, const Layout& to_layout, const void* from,
                            const Layout& from_layout, const Extent& e, cudaMemcpyKind kind) {
  const auto pointer = [&](const void* p, const Layout& layout) {
    const bool flat = e.height == 1 && e.depth == 1 && layout.pitch == e.width;
    return flat ? cudaPitchedPtr{const_cast<void*>(p), 0, 0, 0}
                : cudaPitchedPtr{const_cast<void*>(p), layout.pitch, 0,
                                 layout.slice / std::max<std::size_t>(layout.pitch, 1)};
  };
  cudaMemcpy3DParms p{};
  p.srcPtr = pointer(from, from_layout);
  p.dstPtr = pointer(to, to_layout);
  p.extent = {e.width, e.height, e.depth};
  p.kind = kind;
  return p;
}

}  // namespace

cudaError_t null_pointer(Context& c, const char* call, const char* role) {
  c.report(Kind::api_misuse, std::string(call) + ": the " + role + " is a null pointer.",
           "Look at what the allocation returned: a failed cudaMalloc leaves its pointer null.");
  return cudaErrorInvalidValue;
}
cudaError_t pitch_too_small(Context& c, const char* call, std::size_t width, std::size_t pitch,
                            cudaError_t error) {
  c.report(Kind::api_misuse,
           std::string(call) + ": rows of " + bytes_text(width) + " do not fit into a pitch of " +
               bytes_text(pitch) + ".",
           "Width and pitch are in bytes: the pitch is the distance from one row to the next.");
  return error;
}

void note_copied(const Side& target, std::uint64_t to, const Side& source, std::uint64_t from,
                 std::uint64_t bytes) {
  if (!target.allocation || !target.allocation->written) return;
  const auto offset = [](const Side& s, std::uint64_t at) {
    return static_cast<std::uint64_t>(s.data - s.allocation->data) + at;
  };
  if (source.allocation && source.allocation->written)
    target.allocation->written->copy(offset(target, to), *source.allocation->written,
                                     offset(source, from), bytes);
  else
    target.allocation->written->mark(offset(target, to), bytes);
}

cudaError_t copy(Context& c, void* to, Layout to_layout, const void* from, Layout from_layout,
                 Extent e, cudaMemcpyKind kind, const char* call) {
  if (e.empty()) return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (!to) return null_pointer(c, call, "destination");
  if (!from) return null_pointer(c, call, "source");
  if (const std::size_t pitch = std::min(to_layout.pitch, from_layout.pitch); e.width > pitch)
    return pitch_too_small(c, call, e.width, pitch,
                           e.height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue);
  const Direction d = direction(kind);
  const Side source = side(c, from, from_layout.span(e), d.known, d.from_device, call, "source");
  const Side target = side(c, to, to_layout.span(e), d.known, d.to_device, call, "destination");
  if (source.error != cudaSuccess) return source.error;
  if (target.error != cudaSuccess) return target.error;
  const auto on_device = [&](const void* p) { return c.memory().in_window(address_of(p)); };
  if (d.known && ((!d.from_device && on_device(from)) || (!d.to_device && on_device(to))))
    c.report(Kind::api_misuse,
             std::string(call) + ": the direction calls device memory host memory.",
             "The copy is made, since CUDA can tell from the pointers. Say what you mean: the "
             "cudaMemcpyKind names where the source is, then where the destination is.",
             nullptr, check::Severity::warning);
  using Way = TimelineEntry::Kind;
  const bool pageable = source.is_pageable() || target.is_pageable();
  const Between devices = between(c, source, target);
  Task task{
      .kind = source.is_host()    ? target.is_host() ? Way::copy_on_host : Way::copy_to_device
              : target.is_host()  ? Way::copy_to_host
              : devices.several() ? Way::copy_between_devices
                                  : Way::copy_on_device,
      .name = call,
      .bytes = e.width * e.height * e.depth,
      .pageable = pageable,
      .params = as_params(to, to_layout, from, from_layout, e, kind),
      .body = [&c, source, target, to_layout, from_layout, e](Operation& o) {
        if (target.is_host() && c.is_broken()) return;
        if (is_gone(c, o, source.begin, "source") || is_gone(c, o, target.begin, "destination"))
          return;
        for (std::size_t z = 0; z < e.depth; ++z)
          for (std::size_t r = 0; r < e.height; ++r) {
            const std::size_t there = z * to_layout.slice + r * to_layout.pitch;
            const std::size_t here = z * from_layout.slice + r * from_layout.pitch;
            std::memmove(target.data + there, source.data + here, e.width);
            note_copied(target, there, source, here, e.width);
          }
      }};
  add_side(task, source, from_layout, e, check::Use::read);
  add_side(task, target, to_layout, e, check::Use::written);
  const OperationPtr operation = submit_copy(c, std::move(task), devices);
  // A blocking call waits, except for a copy on the device. An asynchronous one waits, too, when
  // the bytes pass through memory that is not pinned, or stay on the host; but on their way to the
  // device, only until they have been read.
  const bool on_host = source.is_host() && target.is_host();
  if (on_host || (c.is_blocking() && (source.is_host() || target.is_host())))
    c.work.wait(operation);
  else if (pageable)
    target.is_host() ? c.work.wait(operation) : c.work.wait_until_read(operation);
  return cudaSuccess;
}
cudaError_t copy(Context& c, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 const char* call) {
  return copy(c, to, {bytes, bytes}, from, {bytes, bytes}, {bytes, 1, 1}, kind, call);
}

cudaError_t fill(Context& c, void* to, Layout layout, Extent e, int value, const char* call) {
  return fill_elements(c, to, layout, e, static_cast<unsigned>(value), 1, call);
}

namespace {

// A fill runs on the device of its stream, and goes where that device's kernels may go.
cudaError_t out_of_reach(Context& c, const memory::Allocation& a, const char* call) {
  const std::string here = std::to_string(c.ordinal()), there = std::to_string(a.device);
  c.report(Kind::api_misuse,
           std::string(call) + ": the destination is memory of device " + there + ", and device " +
               here + ", whose stream is to fill it, may not touch it.",
           "Call it while device " + there +
               " is current (cudaSetDevice), in a stream of that "
               "device; or enable the peer first, with cudaDeviceEnablePeerAccess(" +
               there + ", 0).",
           &a);
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t fill_elements(Context& c, void* to, Layout layout, Extent e, unsigned value,
                          std::size_t element, const char* call) {
  if (element != 1 && element != 2 && element != 4) return cudaErrorInvalidValue;
  if (e.empty()) return cudaSuccess;
  if (!to) return null_pointer(c, call, "destination");
  if (e.width > layout.pitch)
    return pitch_too_small(c, call, e.width, layout.pitch, cudaErrorInvalidValue);
  const Side target = side(c, to, layout.span(e), true, true, call, "destination");
  if (target.error != cudaSuccess) return target.error;
  if (target.allocation && !c.reaches(c.ordinal(), *target.allocation))
    return out_of_reach(c, *target.allocation, call);
  Task task{.kind = TimelineEntry::Kind::fill,
            .name = call,
            .bytes = e.width * e.height * e.depth,
            .params = cudaMemsetParams{.dst = to,
                                       .pitch = e.height > 1 ? layout.pitch : 0,
                                       .value = value,
                                       .elementSize = static_cast<unsigned>(element),
                                       .width = e.width / element,
                                       .height = e.height},
            .body = [&c, target, layout, e, value, element](Operation& o) {
              if (is_gone(c, o, target.begin, "destination")) return;
              for (std::size_t z = 0; z < e.depth; ++z)
                for (std::size_t r = 0; r < e.height; ++r) {
                  const std::size_t at = z * layout.slice + r * layout.pitch;
                  for (std::size_t x = 0; x < e.width; x += element)
                    std::memcpy(target.data + at + x, &value, element);
                  note_copied(target, at, {}, 0, e.width);
                }
            }};
  add_side(task, target, layout, e, check::Use::written);
  c.submit(std::move(task));
  return cudaSuccess;
}

cudaError_t copy_symbol(Context& c, const void* symbol, void* other, std::size_t bytes,
                        std::size_t offset, cudaMemcpyKind kind, bool to_symbol, const char* call) {
  const memory::Allocation* a = c.find_symbol(symbol);
  if (!a) {
    c.report(
        Kind::api_misuse,
        std::string(call) + " was given something that is no __device__ or __constant__ variable.",
        "Pass the variable itself, not a string or a pointer to it.");
    return cudaErrorInvalidSymbol;
  }
  const bool other_way =
      to_symbol ? kind == cudaMemcpyDeviceToHost : kind == cudaMemcpyHostToDevice;
  if (other_way || kind == cudaMemcpyHostToHost) {
    c.report(Kind::api_misuse, std::string(call) + ": the direction does not fit.",
             "The symbol is on the device; leave the direction out, and it is what the name of the "
             "call says.",
             a);
    return cudaErrorInvalidMemcpyDirection;
  }
  if (offset > a->bytes || bytes > a->bytes - offset) {
    c.report(Kind::out_of_bounds,
             std::string(call) + " of " + bytes_text(bytes) + " at offset " +
                 std::to_string(offset) + " runs past the end of " + a->name + ", which has " +
                 bytes_text(a->bytes) + ".",
             "Sizes are in bytes: n * sizeof(T) for n elements.", a);
    return cudaErrorInvalidValue;
  }
  void* p = reinterpret_cast<void*>(a->begin + offset);
  return to_symbol ? copy(c, p, other, bytes, kind, call) : copy(c, other, p, bytes, kind, call);
}

}  // namespace sim::runtime
