// Memory pools, and allocation in the order of streams.
//
// Pools differ in what they count and in their settings; memory comes from the device all the same.
// Another device reaches a pool's memory when the pool says so, whether or not it is a peer.
// A real pool keeps what was freed until the program waits and more than the threshold is held;
// here freed memory goes back at once, and how much a pool would hold is only counted.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "sim/runtime/allocation.h"
#include "sim/runtime/api.h"
#include "sim/runtime/unsupported.h"

using namespace sim::runtime;

struct CUmemPoolHandle_st {
  int device = 0;
  sim::memory::DeviceSet open_to = 0;  // besides it
  std::uint64_t threshold = 0;
  int follow_events = 1, opportunistic = 1, internal_dependencies = 1;
  std::uint64_t held = 0;  // what it has from the device, used or not; see reserved()
  std::uint64_t used_high = 0, reserved_high = 0;
  // What was allocated from it: the address, and the allocation's serial number.
  std::map<sim::memory::Address, std::uint64_t> allocated;
};

namespace {

using Pool = CUmemPoolHandle_st;

constexpr std::uint64_t chunk = 32 << 20;  // what a pool takes from the device at once

// Guarded by the context's lock.
struct DevicePools {
  Pool standard;
  Pool* current = &standard;
};
std::array<DevicePools, most_devices> pools;
std::map<Pool*, std::unique_ptr<Pool>> made;

DevicePools& pools_of(int device) {
  DevicePools& its = pools[static_cast<std::size_t>(device)];
  its.standard.device = device;
  return its;
}

bool is_pool(Pool* p) {
  return made.count(p) != 0 ||
         std::ranges::any_of(pools, [&](const DevicePools& d) { return p == &d.standard; });
}

void forget_freed(Context& c, Pool& p) {
  std::erase_if(p.allocated, [&](const auto& entry) {
    const sim::memory::Allocation* a = c.memory().find(entry.first);
    return !a || a->serial != entry.second;
  });
}

std::uint64_t used(Context& c, Pool& p) {
  forget_freed(c, p);
  std::uint64_t sum = 0;
  for (const auto& [begin, serial] : p.allocated) sum += c.memory().find(begin)->bytes;
  return sum;
}

// What it has once all but `kept` bytes of what is free went back: whole chunks.
std::uint64_t shrink_to(Context& c, Pool& p, std::uint64_t kept) {
  const std::uint64_t in_use = (used(c, p) + chunk - 1) / chunk * chunk;
  return p.held = std::max(in_use, std::min(p.held, kept));
}

// Above the threshold, no chunk stays; a trim leaves at least what it names.
std::uint64_t reserved(Context& c, Pool& p) { return shrink_to(c, p, p.threshold / chunk * chunk); }

cudaError_t allocate_from(Context& c, void** out, std::size_t bytes, Pool& p) {
  const cudaError_t error = allocate_in_stream(c, out, bytes, p.device);
  if (error != cudaSuccess || !*out) return error;
  const sim::memory::Address begin = address_of(*out);
  if (c.graphs.memory.has(begin)) return cudaSuccess;  // a graph has its own
  p.allocated[begin] = c.memory().find(begin)->serial;
  c.memory().open(begin, p.open_to);
  p.used_high = std::max(p.used_high, used(c, p));
  p.reserved_high = std::max(p.reserved_high, reserved(c, p));
  return cudaSuccess;
}

// The device that owns a pool always has access.
cudaError_t set_access(Context& c, Pool& p, int device, cudaMemAccessFlags flags) {
  if (!c.is_device(device)) return cudaErrorInvalidDevice;
  const bool all = flags == cudaMemAccessFlagsProtReadWrite;
  if (device == p.device) return all ? cudaSuccess : cudaErrorInvalidDevice;
  if (!all && flags != cudaMemAccessFlagsProtNone) return cudaErrorNotSupported;
  if (all && !c.can_be_peers(device, p.device)) return cudaErrorPeerAccessUnsupported;
  const sim::memory::DeviceSet bit = sim::memory::DeviceSet{1} << device;
  p.open_to = all ? p.open_to | bit : p.open_to & ~bit;
  forget_freed(c, p);
  for (const auto& [begin, serial] : p.allocated) c.memory().open(begin, p.open_to);
  return cudaSuccess;
}

cudaError_t get(Context& c, Pool& p, cudaMemPoolAttr attribute, void* value) {
  const auto flag = [&](int v) { *static_cast<int*>(value) = v; };
  const auto number = [&](std::uint64_t v) { *static_cast<std::uint64_t*>(value) = v; };
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies: flag(p.follow_events); break;
    case cudaMemPoolReuseAllowOpportunistic: flag(p.opportunistic); break;
    case cudaMemPoolReuseAllowInternalDependencies: flag(p.internal_dependencies); break;
    case cudaMemPoolAttrReleaseThreshold: number(p.threshold); break;
    case cudaMemPoolAttrReservedMemCurrent: number(reserved(c, p)); break;
    case cudaMemPoolAttrReservedMemHigh: number(p.reserved_high); break;
    case cudaMemPoolAttrUsedMemCurrent: number(used(c, p)); break;
    case cudaMemPoolAttrUsedMemHigh: number(p.used_high); break;
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

// The watermarks can only be set back to now, by setting them to 0.
cudaError_t set(Context& c, Pool& p, cudaMemPoolAttr attribute, const void* value) {
  const int flag = *static_cast<const int*>(value);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies: p.follow_events = flag; return cudaSuccess;
    case cudaMemPoolReuseAllowOpportunistic: p.opportunistic = flag; return cudaSuccess;
    case cudaMemPoolReuseAllowInternalDependencies:
      p.internal_dependencies = flag;
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      p.threshold = *static_cast<const std::uint64_t*>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
      if (*static_cast<const std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
      p.reserved_high = reserved(c, p);
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
      if (*static_cast<const std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
      p.used_high = used(c, p);
      return cudaSuccess;
    default: return cudaErrorInvalidValue;
  }
}

// Whether there are pools of such memory at this place.
cudaError_t look_at(Context& c, const cudaMemLocation& where, cudaMemAllocationType type) {
  const bool managed = type == cudaMemAllocationTypeManaged;
  if (managed || where.type == cudaMemLocationTypeHost ||
      where.type == cudaMemLocationTypeHostNuma ||
      where.type == cudaMemLocationTypeHostNumaCurrent) {
    unsupported("a pool of host memory or managed memory",
                "Use cudaMallocHost or cudaMallocManaged.");
    return cudaErrorNotSupported;
  }
  const bool is_place = type == cudaMemAllocationTypePinned &&
                        where.type == cudaMemLocationTypeDevice && c.is_device(where.id);
  return is_place ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t create(Context& c, cudaMemPool_t* out, const cudaMemPoolProps* props) {
  if (!out || !props) return cudaErrorInvalidValue;
  if (props->handleTypes != cudaMemHandleTypeNone) {
    unsupported("a memory pool that other processes share",
                "Leave handleTypes at cudaMemHandleTypeNone, and work in one process.");
    return cudaErrorNotSupported;
  }
  if (const cudaError_t error = look_at(c, props->location, props->allocType); error != cudaSuccess)
    return error;
  auto pool = std::make_unique<Pool>();
  pool->device = props->location.id;
  *out = pool.get();
  made[pool.get()] = std::move(pool);
  return cudaSuccess;
}

template <class Body>
cudaError_t of_device(int device, const void* given, Body&& body) {
  return api([&](Context& c) {
    if (!given) return cudaErrorInvalidValue;
    return c.is_device(device) ? body() : cudaErrorInvalidDevice;
  });
}
template <class Body>
cudaError_t at_place(const cudaMemLocation* where, cudaMemAllocationType type, Body&& body) {
  return api([&](Context& c) {
    const cudaError_t error = where ? look_at(c, *where, type) : cudaErrorInvalidValue;
    return error == cudaSuccess ? body(where->id) : error;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMallocAsync(void** out, size_t bytes, cudaStream_t s) {
  return stream_api(s, "cudaMallocAsync", [&](Context& c) {
    return allocate_from(c, out, bytes, *pools_of(c.ordinal()).current);
  });
}
cudaError_t cudaMallocFromPoolAsync(void** out, size_t bytes, cudaMemPool_t p, cudaStream_t s) {
  return stream_api(s, "cudaMallocFromPoolAsync", [&](Context& c) {
    return is_pool(p) ? allocate_from(c, out, bytes, *p) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return of_device(device, out, [&] {
    *out = &pools_of(device).standard;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return of_device(device, out, [&] {
    *out = pools_of(device).current;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t p) {
  return of_device(device, p, [&] {
    if (!is_pool(p) || p->device != device) return cudaErrorInvalidValue;
    pools_of(device).current = p;
    return cudaSuccess;
  });
}
// ---- The same by the place of the pool ----
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                                     cudaMemAllocationType type) {
  return at_place(where, type,
                  [&](int device) { return cudaDeviceGetDefaultMemPool(out, device); });
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                              cudaMemAllocationType type) {
  return at_place(where, type, [&](int device) { return cudaDeviceGetMemPool(out, device); });
}
cudaError_t cudaMemSetMemPool(cudaMemLocation* where, cudaMemAllocationType type, cudaMemPool_t p) {
  return at_place(where, type, [&](int device) { return cudaDeviceSetMemPool(device, p); });
}

// ---- Making them, and their properties ----
cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps* props) {
  return api([&](Context& c) { return create(c, out, props); });
}
// What was allocated from it stays until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t p) {
  return api([&](Context&) {
    if (made.erase(p) == 0) return cudaErrorInvalidValue;
    for (DevicePools& d : pools)
      if (d.current == p) d.current = &d.standard;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t p, cudaMemPoolAttr attribute, void* value) {
  return api([&](Context& c) {
    return is_pool(p) && value ? set(c, *p, attribute, value) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t p, cudaMemPoolAttr attribute, void* value) {
  return api([&](Context& c) {
    return is_pool(p) && value ? get(c, *p, attribute, value) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t p, size_t kept) {
  return api([&](Context& c) {
    if (!is_pool(p)) return cudaErrorInvalidValue;
    reserved(c, *p);
    shrink_to(c, *p, kept / chunk * chunk + (kept % chunk != 0 ? chunk : 0));
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t p,
                                 cudaMemLocation* location) {
  return api([&](Context& c) {
    if (!flags || !location || !is_pool(p) || !c.is_device(location->id))
      return cudaErrorInvalidValue;
    const bool open = location->id == p->device || (p->open_to >> location->id & 1) != 0;
    *flags = open ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t p, const cudaMemAccessDesc* list, size_t count) {
  return api([&](Context& c) {
    if (!is_pool(p) || (count != 0 && !list)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (const cudaError_t error = set_access(c, *p, list[i].location.id, list[i].flags);
          error != cudaSuccess)
        return error;
    return cudaSuccess;
  });
}

// ---- Memory that graphs allocate ----
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api([&](Context& c) {
    if (!c.is_device(device)) return cudaErrorInvalidDevice;
    if (!value) return cudaErrorInvalidValue;
    std::uint64_t& out = *static_cast<std::uint64_t*>(value);
    switch (attribute) {
      case cudaGraphMemAttrUsedMemCurrent:
      case cudaGraphMemAttrReservedMemCurrent:
        out = c.graphs.memory.space(device);
        return cudaSuccess;
      case cudaGraphMemAttrUsedMemHigh:
      case cudaGraphMemAttrReservedMemHigh: out = c.graphs.memory.most(device); return cudaSuccess;
      default: return cudaErrorInvalidValue;
    }
  });
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api([&](Context& c) {
    if (!c.is_device(device)) return cudaErrorInvalidDevice;
    const bool high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (!value || !high || *static_cast<std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    c.graphs.memory.forget_most(device);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api([&](Context& c) {
    if (!c.is_device(device)) return cudaErrorInvalidDevice;
    c.graphs.memory.trim(device);
    return cudaSuccess;
  });
}

}  // extern "C"
