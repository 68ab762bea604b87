// Memory: allocation and release, of the device's, of pinned and of managed memory.
//
// A mistake is reported at the host's line, with the allocation it concerns, besides the error code
// that CUDA returns.
#include <cstring>
#include <string>

#include "sim/runtime/allocation.h"
#include "sim/runtime/api.h"

namespace sim::runtime {

check::Footprint whole(const memory::Allocation& a) {
  check::Footprint all;
  all.of(check::Use::written) = {{a.begin, a.end()}};
  return all;
}

namespace {

cudaError_t allocate_on(Context& c, int device, void** pointer, std::size_t bytes,
                        memory::Kind kind) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (const cudaError_t error = c.refuse_unsafe_while_capturing(); error != cudaSuccess)
    return error;
  if (c.should_fail_allocation()) return cudaErrorMemoryAllocation;
  if (bytes == 0) return cudaSuccess;
  const memory::Allocation* a = c.memory().allocate(bytes, kind, {}, c.here(), device);
  if (!a) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(a->begin);
  return cudaSuccess;
}

}  // namespace

cudaError_t allocate(Context& c, void** pointer, std::size_t bytes, memory::Kind kind) {
  return allocate_on(c, c.ordinal(), pointer, bytes, kind);
}

// The pointer is there at once; the memory is for work that comes after this in the stream.
cudaError_t allocate_in_stream(Context& c, void** pointer, std::size_t bytes, int device) {
  if (c.is_writing_down()) {
    if (!pointer) return cudaErrorInvalidValue;
    cudaMemAllocNodeParams p{};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.poolProps.location.id = device;
    p.bytesize = bytes;
    const cudaError_t error = allocate_in_graph(c, p, "cudaMallocAsync");
    *pointer = p.dptr;
    return error;
  }
  cudaError_t error = allocate_on(c, device, pointer, bytes, memory::Kind::device);
  if (error == cudaErrorMemoryAllocation && bytes > 0) {  // what streams are about to give back
    c.work.finish();
    error = allocate_on(c, device, pointer, bytes, memory::Kind::device);
  }
  if (error != cudaSuccess || bytes == 0) return error;
  const memory::Allocation& a = *c.memory().find(address_of(*pointer));
  c.note_stream_ordered(a.serial);
  c.submit(
      {.name = "cudaMallocAsync", .action = check::Action::Kind::allocation, .touched = whole(a)});
  return cudaSuccess;
}

namespace {

using check::Kind;

constexpr std::size_t pitch_alignment = 512;

// Memory that host and device both see, at one address.
cudaError_t allocate_visible(Context& c, void** pointer, std::size_t bytes, memory::Kind kind) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (c.should_fail_allocation()) return cudaErrorMemoryAllocation;
  if (bytes == 0) return cudaSuccess;
  const HostPages::Views views = c.work.pages.map(bytes);
  if (!views.host) return cudaErrorMemoryAllocation;
  c.memory().adopt(views.host, bytes, kind, c.here(), {}, views.simulator, c.ordinal());
  *pointer = views.host;
  return cudaSuccess;
}

// The call has waited for its own device. Memory of another waits for that one, too; and what the
// host sees goes only when no device has work to do on it.
void wait_for_owner(Context& c, const memory::Allocation& a) {
  if (a.device != c.ordinal()) c.work.wait_all(a.device);
  if (a.is_seen_by_host()) c.work.finish();
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
  if (std::strcmp(name, "cudaFreeAsync") == 0 && c.is_writing_down())
    return release_in_graph(c, *c.stream().capture->graph, pointer);
  if (ours && !a->live && a->reserved) {
    c.report(Kind::api_misuse,
             std::string(name) + " was given memory of a graph that is not allocated now.",
             "It is there from a launch of its graph until it is given back: by a node of the "
             "graph, by another graph, or by one call.",
             a);
    return cudaErrorInvalidValue;
  }
  c.graphs.memory.given_back(address);
  // In a stream, memory is given back when the stream gets there.
  if (ours && a->live && std::strcmp(name, "cudaFreeAsync") == 0 && c.free_later(address)) {
    c.submit({.name = name,
              .action = check::Action::Kind::release,
              .touched = whole(*a),
              .body = [&c, address](Operation& o) {
                // Work in other streams that did not wait may still use it: that was a mistake, but
                // not one that should be reported as another.
                c.work.finish_before(o);
                c.release(address, o.site);
              }});
    return cudaSuccess;
  }
  if (ours && a->live) wait_for_owner(c, *a);
  const bool twice = ours && a->live && c.is_freed_later(address);
  switch (twice ? memory::Release::already_freed : c.release(address)) {
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

// Before it waits: memory that goes while the device may still use it. For other memory cudaFree
// does wait on a real device.
void note_early_release(void* p, const char* call) {
  api([&](Context& c) {
    const memory::Allocation* a = c.memory().find(address_of(p));
    if (a && a->begin == address_of(p) &&
        (a->kind == memory::Kind::pinned || a->kind == memory::Kind::registered ||
         c.is_stream_ordered(*a)))
      c.work.host_releases(*a, call);
    return cudaSuccess;
  });
}

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

// ---- Allocation ----
cudaError_t cudaMalloc(void** p, size_t n) {
  return api([&](Context& c) { return allocate(c, p, n); });
}
cudaError_t cudaFree(void* p) {
  if (!p) return api([](Context& c) { return c.refuse_unsafe_while_capturing(); });
  note_early_release(p, "cudaFree");
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
cudaError_t cudaFreeHost(void* p) {
  note_early_release(p, "cudaFreeHost");
  return synchronous_api([&](Context& c) { return release(c, p, "cudaFreeHost"); });
}
cudaError_t cudaMallocManaged(void** p, size_t n, unsigned flags) {
  return api([&](Context& c) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate_visible(c, p, n, sim::memory::Kind::managed);
  });
}
cudaError_t cudaHostRegister(void* p, size_t n, unsigned) {
  return api([&](Context& c) {
    if (!p || n == 0) return cudaErrorInvalidValue;
    const sim::memory::Allocation* a = c.memory().find(address_of(p));
    if (a) return cudaErrorHostMemoryAlreadyRegistered;
    c.memory().adopt(p, n, sim::memory::Kind::registered, c.here(), {}, nullptr, c.ordinal());
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* p) {
  note_early_release(p, "cudaHostUnregister");
  return synchronous_api([&](Context& c) {
    const sim::memory::Allocation* a = c.memory().find(address_of(p));
    if (!a || a->begin != address_of(p) || a->kind != sim::memory::Kind::registered)
      return cudaErrorHostMemoryNotRegistered;
    wait_for_owner(c, *a);
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
    const std::size_t capacity = c.memory().capacity(c.ordinal());
    if (total) *total = capacity;
    if (free_bytes) *free_bytes = capacity - c.memory().used(c.ordinal());
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
    out->device = a->device;
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

}  // extern "C"
