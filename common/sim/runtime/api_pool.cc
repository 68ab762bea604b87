// Memory pools, and allocation in the order of streams.
//
// Pools differ in what they count and in their settings; memory comes from the device all the same.
// A real pool keeps what was freed until the program waits and more than the threshold is held;
// here freed memory goes back at once, and what a pool is said to have reserved follows from what
// is used and from the threshold.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "sim/runtime/allocation.h"
#include "sim/runtime/api.h"
#include "sim/runtime/unsupported.h"

using namespace sim::runtime;

struct CUmemPoolHandle_st {
  std::uint64_t threshold = 0;
  int follow_events = 1, opportunistic = 1, internal_dependencies = 1;
  std::uint64_t used_high = 0, reserved_high = 0;
  cudaMemAccessFlags access = cudaMemAccessFlagsProtReadWrite;
  // What was allocated from it: the address, and the allocation's serial number.
  std::map<sim::memory::Address, std::uint64_t> allocated;
};

namespace {

using Pool = CUmemPoolHandle_st;

constexpr std::uint64_t chunk = 32 << 20;  // what a pool takes from the device at once

// Guarded by the context's lock.
Pool default_pool;
Pool* current = &default_pool;
std::map<Pool*, std::unique_ptr<Pool>> made;

bool is_pool(Pool* p) { return p == &default_pool || made.count(p) != 0; }

std::uint64_t round_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

std::uint64_t used(Context& c, Pool& p) {
  std::uint64_t sum = 0;
  for (auto it = p.allocated.begin(); it != p.allocated.end();) {
    const sim::memory::Allocation* a = c.memory().find(it->first);
    if (!a || a->serial != it->second) {
      it = p.allocated.erase(it);
      continue;
    }
    sum += a->bytes;
    ++it;
  }
  return sum;
}

std::uint64_t reserved(Context& c, Pool& p) {
  return std::max(round_up(used(c, p), chunk),
                  std::min(round_up(p.threshold, chunk), p.reserved_high));
}

cudaError_t allocate_from(Context& c, void** out, std::size_t bytes, Pool& p) {
  const cudaError_t error = allocate_in_stream(c, out, bytes);
  if (error != cudaSuccess || !*out) return error;
  const sim::memory::Address begin = address_of(*out);
  p.allocated[begin] = c.memory().find(begin)->serial;
  p.used_high = std::max(p.used_high, used(c, p));
  p.reserved_high = std::max(p.reserved_high, reserved(c, p));
  return cudaSuccess;
}

cudaError_t give_pool(cudaMemPool_t* out, int device, Pool* pool) {
  if (!out) return cudaErrorInvalidValue;
  if (device != 0) return cudaErrorInvalidDevice;
  *out = pool;
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

cudaError_t create(cudaMemPool_t* out, const cudaMemPoolProps* props) {
  if (!out || !props) return cudaErrorInvalidValue;
  if (props->handleTypes != cudaMemHandleTypeNone) {
    unsupported("a memory pool that other processes share");
    return cudaErrorNotSupported;
  }
  if (props->allocType != cudaMemAllocationTypePinned ||
      props->location.type != cudaMemLocationTypeDevice || props->location.id != 0)
    return cudaErrorInvalidValue;
  auto pool = std::make_unique<Pool>();
  *out = pool.get();
  made[pool.get()] = std::move(pool);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMallocAsync(void** out, size_t bytes, cudaStream_t s) {
  return stream_api(s, "cudaMallocAsync",
                    [&](Context& c) { return allocate_from(c, out, bytes, *current); });
}
cudaError_t cudaMallocFromPoolAsync(void** out, size_t bytes, cudaMemPool_t p, cudaStream_t s) {
  return stream_api(s, "cudaMallocFromPoolAsync", [&](Context& c) {
    return is_pool(p) ? allocate_from(c, out, bytes, *p) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return api([&](Context&) { return give_pool(out, device, &default_pool); });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return api([&](Context&) { return give_pool(out, device, current); });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t p) {
  return api([&](Context&) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!is_pool(p)) return cudaErrorInvalidValue;
    current = p;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps* props) {
  return api([&](Context&) { return create(out, props); });
}
// What was allocated from it stays until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t p) {
  return api([&](Context&) {
    if (made.erase(p) == 0) return cudaErrorInvalidValue;
    if (current == p) current = &default_pool;
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
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t p, size_t) {
  return api([&](Context&) { return is_pool(p) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t p,
                                 cudaMemLocation* location) {
  return api([&](Context&) {
    if (!flags || !location || !is_pool(p) || location->id != 0) return cudaErrorInvalidValue;
    *flags = p->access;
    return cudaSuccess;
  });
}
// The device that owns a pool always has access.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t p, const cudaMemAccessDesc* list, size_t count) {
  return api([&](Context&) {
    if (!is_pool(p) || (count != 0 && !list)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (list[i].location.id != 0 || list[i].flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

}  // extern "C"
