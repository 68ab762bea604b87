// Memory: allocation, copies, fills and symbols.
//
// Every copy is checked against the allocations it touches, and a mistake is reported at the host's
// line, with the allocation it concerns, besides the error code that CUDA returns.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/mman.h>

#include "sim/runtime/api.h"
#include "sim/runtime/unsupported.h"

namespace sim::runtime {

namespace {

using check::Kind;

constexpr std::size_t pitch_alignment = 512;

std::string bytes_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

cudaError_t allocate(Context& c, void** pointer, std::size_t bytes,
                     memory::Kind kind = memory::Kind::device) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (c.should_fail_allocation()) return cudaErrorMemoryAllocation;
  if (bytes == 0) return cudaSuccess;
  const memory::Allocation* a = c.memory().allocate(bytes, kind, {}, c.here());
  if (!a) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(a->begin);
  return cudaSuccess;
}

// Memory that host and device both see, at one address.
cudaError_t allocate_visible(Context& c, void** pointer, std::size_t bytes, memory::Kind kind) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (c.should_fail_allocation()) return cudaErrorMemoryAllocation;
  if (bytes == 0) return cudaSuccess;
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return cudaErrorMemoryAllocation;
  c.memory().adopt(p, bytes, kind, c.here());
  *pointer = p;
  return cudaSuccess;
}

cudaError_t release(Context& c, void* pointer, const char* name) {
  if (!pointer) return cudaSuccess;
  const bool host = std::strcmp(name, "cudaFreeHost") == 0;
  const memory::Address address = address_of(pointer);
  const memory::Allocation* a = c.memory().nearest(address, 1);
  const bool ours = a && a->begin == address;
  const bool is_host =
      ours && (a->kind == memory::Kind::pinned || a->kind == memory::Kind::registered);
  if (ours && a->live && !a->name.empty()) {
    c.report(
        Kind::api_misuse,
        std::string(name) + " was given " + a->name + ", a variable of the program.",
        "Only memory that was allocated can be freed; a variable lives as long as the program.", a);
    return cudaErrorInvalidValue;
  }
  if (ours && a->live && a->kind == memory::Kind::registered) {
    c.report(Kind::api_misuse,
             std::string(name) + " was given memory that was registered, not allocated.",
             "Take it back with cudaHostUnregister, then free it as it was allocated.", a);
    return cudaErrorInvalidValue;
  }
  if (ours && a->live && is_host != host) {
    c.report(Kind::api_misuse,
             std::string(name) + " was given memory from " +
                 (is_host ? "cudaMallocHost" : "cudaMalloc") + ".",
             std::string("Free it with ") + (is_host ? "cudaFreeHost" : "cudaFree") + ".", a);
    return cudaErrorInvalidValue;
  }
  switch (c.release(address)) {
    case memory::Release::done: return cudaSuccess;
    case memory::Release::already_freed:
      c.report(Kind::api_misuse, std::string(name) + " was given memory that is already free.",
               "Free each allocation once, and set the pointer to nullptr afterwards.", a);
      break;
    case memory::Release::inside_an_allocation:
      c.report(Kind::api_misuse,
               std::string(name) + " was given a pointer into the middle of an allocation.",
               "Free the pointer that the allocation gave you, not one that was moved.", a);
      break;
    case memory::Release::not_an_allocation:
      c.report(Kind::api_misuse,
               std::string(name) + " was given a pointer that no CUDA call returned.",
               "A pointer from malloc or new is freed with free or delete.");
      break;
  }
  return cudaErrorInvalidValue;
}

// One side of a copy or fill: where its bytes are.
struct Side {
  std::byte* data = nullptr;
  cudaError_t error = cudaSuccess;
};

// `device`: whether the copy's direction says that this side is on the device; `known`: whether it
// says so at all.
Side side(Context& c, const void* pointer, std::size_t bytes, bool known, bool device,
          const char* call, const char* role) {
  const memory::Address address = address_of(pointer);
  const memory::Allocation* a = c.memory().find(address);
  const bool in_window = c.memory().in_window(address);
  const std::string start = std::string(call) + ": the " + role + " ";
  if (known && device && !a && !in_window) {
    c.report(
        Kind::api_misuse, start + "is host memory, and the direction says device.",
        "Check the order of the pointers and the cudaMemcpyKind: destination first, then source.");
    return {nullptr, cudaErrorInvalidValue};
  }
  if (!in_window && !a) return {static_cast<std::byte*>(const_cast<void*>(pointer)), cudaSuccess};
  if (!a) {
    const memory::Allocation* near = c.memory().nearest(address);
    const bool stale = near && !near->live && near->contains(address, 1);
    c.report(stale ? Kind::use_after_free : Kind::out_of_bounds,
             start + (stale ? "was already freed." : "is not inside any allocation."),
             stale ? "Copy before you free." : "Check the pointer and the offset added to it.",
             near);
    return {nullptr, cudaErrorInvalidValue};
  }
  if (!a->contains(address, bytes)) {
    c.report(Kind::out_of_bounds,
             std::string(call) + " of " + bytes_text(bytes) + " runs past the end of the " + role +
                 ", which has " + bytes_text(a->end() - address) + " from there.",
             "Sizes are in bytes: n * sizeof(T) for n elements, the same at allocation and copy.",
             a);
    return {nullptr, cudaErrorInvalidValue};
  }
  return {a->data + (address - a->begin), cudaSuccess};
}

struct Direction {
  bool known, from_device, to_device;
};
Direction direction(cudaMemcpyKind kind) {
  return {kind != cudaMemcpyDefault,
          kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
          kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice};
}

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
  for (std::size_t z = 0; z < e.depth; ++z)
    for (std::size_t r = 0; r < e.height; ++r)
      std::memmove(target.data + z * to_layout.slice + r * to_layout.pitch,
                   source.data + z * from_layout.slice + r * from_layout.pitch, e.width);
  c.now_ns += e.width * e.height * e.depth / 20 + 1000;  // modelled at 20 GB/s
  return cudaSuccess;
}
cudaError_t copy(Context& c, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 const char* call) {
  return copy(c, to, {bytes, bytes}, from, {bytes, bytes}, {bytes, 1, 1}, kind, call);
}

cudaError_t fill(Context& c, void* to, Layout layout, Extent e, int value, const char* call) {
  if (e.empty()) return cudaSuccess;
  if (!to) return null_pointer(c, call, "destination");
  if (e.width > layout.pitch)
    return pitch_too_small(c, call, e.width, layout.pitch, cudaErrorInvalidValue);
  const Side target = side(c, to, layout.span(e), true, true, call, "destination");
  if (target.error != cudaSuccess) return target.error;
  for (std::size_t z = 0; z < e.depth; ++z)
    for (std::size_t r = 0; r < e.height; ++r)
      std::memset(target.data + z * layout.slice + r * layout.pitch, value, e.width);
  return cudaSuccess;
}

cudaError_t copy_3d(Context& c, const cudaMemcpy3DParms* p, const char* call) {
  if (!p) return cudaErrorInvalidValue;
  if (p->srcArray || p->dstArray) {
    unsupported("cudaMemcpy3D with arrays");
    return cudaErrorNotSupported;
  }
  const auto start = [](const cudaPitchedPtr& ptr, const cudaPos& pos) {
    return static_cast<char*>(ptr.ptr) + pos.z * ptr.pitch * ptr.ysize + pos.y * ptr.pitch + pos.x;
  };
  return copy(c, start(p->dstPtr, p->dstPos), {p->dstPtr.pitch, p->dstPtr.pitch * p->dstPtr.ysize},
              start(p->srcPtr, p->srcPos), {p->srcPtr.pitch, p->srcPtr.pitch * p->srcPtr.ysize},
              {p->extent.width, p->extent.height, p->extent.depth}, p->kind, call);
}

cudaError_t symbol_copy(Context& c, const void* symbol, void* other, std::size_t bytes,
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

cudaError_t managed_range(Context& c, const void* p, std::size_t bytes) {
  const memory::Allocation* a = c.memory().find(address_of(p));
  return a && a->kind == memory::Kind::managed && a->contains(address_of(p), bytes)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

// ---- Allocation ----
cudaError_t cudaMalloc(void** p, size_t n) {
  return api([&](Context& c) { return allocate(c, p, n); });
}
cudaError_t cudaMallocAsync(void** p, size_t n, cudaStream_t s) {
  return stream_api(s, "cudaMallocAsync", [&](Context& c) { return allocate(c, p, n); });
}
cudaError_t cudaFree(void* p) {
  return synchronous_api([&](Context& c) { return release(c, p, "cudaFree"); });
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t s) {
  return stream_api(s, "cudaFreeAsync", [&](Context& c) { return release(c, p, "cudaFreeAsync"); });
}
cudaError_t cudaMallocPitch(void** p, size_t* pitch, size_t width, size_t height) {
  return api([&](Context& c) {
    if (!pitch) return cudaErrorInvalidValue;
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    size_t bytes = 0;
    if (*pitch < width || __builtin_mul_overflow(*pitch, height, &bytes))
      return cudaErrorMemoryAllocation;
    return allocate(c, p, bytes, sim::memory::Kind::pitched);
  });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* p, cudaExtent e) {
  return api([&](Context& c) {
    if (!p) return cudaErrorInvalidValue;
    const size_t pitch = (e.width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    *p = {nullptr, pitch, e.width, e.height};
    size_t bytes = 0;
    if (pitch < e.width || __builtin_mul_overflow(pitch, e.height, &bytes) ||
        __builtin_mul_overflow(bytes, e.depth, &bytes))
      return cudaErrorMemoryAllocation;
    return allocate(c, &p->ptr, bytes, sim::memory::Kind::pitched);
  });
}
cudaError_t cudaMallocHost(void** p, size_t n) {
  return api([&](Context& c) { return allocate_visible(c, p, n, sim::memory::Kind::pinned); });
}
cudaError_t cudaHostAlloc(void** p, size_t n, unsigned flags) {
  return api([&](Context& c) {
    constexpr unsigned all =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (flags & ~all) return cudaErrorInvalidValue;
    return allocate_visible(c, p, n, sim::memory::Kind::pinned);
  });
}
// Pinned memory is always mapped and portable, as with unified addressing on a real device.
cudaError_t cudaHostGetFlags(unsigned* flags, void* p) {
  return api([&](Context& c) {
    const sim::memory::Allocation* a = c.memory().find(address_of(p));
    if (!flags || !a ||
        (a->kind != sim::memory::Kind::pinned && a->kind != sim::memory::Kind::registered))
      return cudaErrorInvalidValue;
    *flags = cudaHostAllocPortable | cudaHostAllocMapped;
    return cudaSuccess;
  });
}
// Hints about managed memory; there is one memory here, so that they change nothing.
cudaError_t cudaMemAdvise(const void* p, size_t n, cudaMemoryAdvise, cudaMemLocation) {
  return api([&](Context& c) { return managed_range(c, p, n); });
}
cudaError_t cudaMemPrefetchAsync(const void* p, size_t n, cudaMemLocation, unsigned,
                                 cudaStream_t s) {
  return stream_api(s, "cudaMemPrefetchAsync", [&](Context& c) { return managed_range(c, p, n); });
}
cudaError_t cudaFreeHost(void* p) {
  return synchronous_api([&](Context& c) { return release(c, p, "cudaFreeHost"); });
}
cudaError_t cudaMallocManaged(void** p, size_t n, unsigned) {
  return api([&](Context& c) { return allocate_visible(c, p, n, sim::memory::Kind::managed); });
}
cudaError_t cudaHostRegister(void* p, size_t n, unsigned) {
  return api([&](Context& c) {
    if (!p || n == 0) return cudaErrorInvalidValue;
    const sim::memory::Allocation* a = c.memory().find(address_of(p));
    if (a) return cudaErrorHostMemoryAlreadyRegistered;
    c.memory().adopt(p, n, sim::memory::Kind::registered, c.here());
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* p) {
  return api([&](Context& c) {
    const sim::memory::Allocation* a = c.memory().find(address_of(p));
    if (!a || a->begin != address_of(p) || a->kind != sim::memory::Kind::registered)
      return cudaErrorHostMemoryNotRegistered;
    c.memory().release(a->begin, c.here());
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return api([&](Context& c) {
    if (!device || !c.memory().find(address_of(host))) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  return api([&](Context& c) {
    if (total) *total = c.memory().capacity();
    if (free_bytes) *free_bytes = c.memory().capacity() - c.memory().used();
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* p) {
  return api([&](Context& c) {
    if (!out) return cudaErrorInvalidValue;
    *out = {};
    const sim::memory::Allocation* a = c.memory().find(address_of(p));
    out->type = cudaMemoryTypeUnregistered;
    out->hostPointer = const_cast<void*>(p);
    out->device = cudaInvalidDeviceId;
    if (!a) return cudaSuccess;
    out->device = 0;
    using K = sim::memory::Kind;
    out->devicePointer = const_cast<void*>(p);
    const bool host = a->kind == K::pinned || a->kind == K::registered;
    out->type = host                    ? cudaMemoryTypeHost
                : a->kind == K::managed ? cudaMemoryTypeManaged
                                        : cudaMemoryTypeDevice;
    if (out->type == cudaMemoryTypeDevice) out->hostPointer = nullptr;
    return cudaSuccess;
  });
}

// ---- Copies and fills: in program order, so that asynchronous ones are done when they return ----
cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind k) {
  return synchronous_api([&](Context& c) { return copy(c, to, from, n, k, "cudaMemcpy"); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n, cudaMemcpyKind k,
                            cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpyAsync",
                    [&](Context& c) { return copy(c, to, from, n, k, "cudaMemcpyAsync"); });
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t n) {
  return synchronous_api(
      [&](Context& c) { return copy(c, to, from, n, cudaMemcpyDeviceToDevice, "cudaMemcpyPeer"); });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t n,
                                cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpyPeerAsync", [&](Context& c) {
    return copy(c, to, from, n, cudaMemcpyDeviceToDevice, "cudaMemcpyPeerAsync");
  });
}
cudaError_t cudaMemcpy2D(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h,
                         cudaMemcpyKind k) {
  return synchronous_api([&](Context& c) {
    return copy(c, to, {tp, 0}, from, {fp, 0}, {w, h, 1}, k, "cudaMemcpy2D");
  });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h,
                              cudaMemcpyKind k, cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpy2DAsync", [&](Context& c) {
    return copy(c, to, {tp, 0}, from, {fp, 0}, {w, h, 1}, k, "cudaMemcpy2DAsync");
  });
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return synchronous_api([&](Context& c) { return copy_3d(c, p, "cudaMemcpy3D"); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpy3DAsync",
                    [&](Context& c) { return copy_3d(c, p, "cudaMemcpy3DAsync"); });
}
cudaError_t cudaMemset(void* to, int v, size_t n) {
  return api([&](Context& c) { return fill(c, to, {n, n}, {n, 1, 1}, v, "cudaMemset"); });
}
cudaError_t cudaMemsetAsync(void* to, int v, size_t n, cudaStream_t stream) {
  return stream_api(stream, "cudaMemsetAsync", [&](Context& c) {
    return fill(c, to, {n, n}, {n, 1, 1}, v, "cudaMemsetAsync");
  });
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int v, size_t w, size_t h) {
  return api([&](Context& c) { return fill(c, to, {pitch, 0}, {w, h, 1}, v, "cudaMemset2D"); });
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int v, size_t w, size_t h, cudaStream_t s) {
  return stream_api(s, "cudaMemset2DAsync", [&](Context& c) {
    return fill(c, to, {pitch, 0}, {w, h, 1}, v, "cudaMemset2DAsync");
  });
}
cudaError_t cudaMemset3D(cudaPitchedPtr p, int v, cudaExtent e) {
  return api([&](Context& c) {
    return fill(c, p.ptr, {p.pitch, p.pitch * p.ysize}, {e.width, e.height, e.depth}, v,
                "cudaMemset3D");
  });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int v, cudaExtent e, cudaStream_t s) {
  return stream_api(s, "cudaMemset3DAsync", [&](Context& c) {
    return fill(c, p.ptr, {p.pitch, p.pitch * p.ysize}, {e.width, e.height, e.depth}, v,
                "cudaMemset3DAsync");
  });
}

// ---- Symbols ----
cudaError_t cudaMemcpyToSymbol(const void* s, const void* from, size_t n, size_t offset,
                               cudaMemcpyKind k) {
  return synchronous_api([&](Context& c) {
    return symbol_copy(c, s, const_cast<void*>(from), n, offset, k, true, "cudaMemcpyToSymbol");
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* s, size_t n, size_t offset,
                                 cudaMemcpyKind k) {
  return synchronous_api([&](Context& c) {
    return symbol_copy(c, s, to, n, offset, k, false, "cudaMemcpyFromSymbol");
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* s, const void* from, size_t n, size_t offset,
                                    cudaMemcpyKind k, cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpyToSymbolAsync", [&](Context& c) {
    return symbol_copy(c, s, const_cast<void*>(from), n, offset, k, true,
                       "cudaMemcpyToSymbolAsync");
  });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* s, size_t n, size_t offset,
                                      cudaMemcpyKind k, cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpyFromSymbolAsync", [&](Context& c) {
    return symbol_copy(c, s, to, n, offset, k, false, "cudaMemcpyFromSymbolAsync");
  });
}
cudaError_t cudaGetSymbolAddress(void** p, const void* s) {
  return api([&](Context& c) {
    const sim::memory::Allocation* a = c.find_symbol(s);
    if (!a || !p) return cudaErrorInvalidSymbol;
    *p = reinterpret_cast<void*>(a->begin);
    return cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(size_t* n, const void* s) {
  return api([&](Context& c) {
    const sim::memory::Allocation* a = c.find_symbol(s);
    if (!a || !n) return cudaErrorInvalidSymbol;
    *n = a->bytes;
    return cudaSuccess;
  });
}

}  // extern "C"
