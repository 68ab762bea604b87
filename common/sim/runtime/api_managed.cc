// Managed memory: advice, prefetching, and what is known about a range.
//
// Host and device see the same bytes here, so that advice moves nothing; it is kept for whoever
// asks.
#include <algorithm>
#include <cstring>
#include <map>

#include "sim/runtime/api.h"

using namespace sim::runtime;

namespace {

constexpr int nowhere = cudaInvalidDeviceId;

// Of one allocation, by its serial number. Guarded by the context's lock.
struct Advice {
  bool read_mostly = false, accessed_by_host = false;
  sim::memory::DeviceSet accessed_by = 0;
  int preferred = nowhere, prefetched = nowhere;
};
std::map<std::uint64_t, Advice> advices;

int number_of(cudaMemLocation l) {
  return l.type == cudaMemLocationTypeDevice ? l.id : cudaCpuDeviceId;
}
cudaMemLocationType type_of(int number) {
  if (number == nowhere) return cudaMemLocationTypeInvalid;
  return number == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
}
bool is_place(Context& c, cudaMemLocation l) {
  return l.type == cudaMemLocationTypeDevice ? c.is_device(l.id)
                                             : l.type == cudaMemLocationTypeHost;
}

Advice* advice_for(Context& c, const void* p, std::size_t bytes) {
  const sim::memory::Allocation* a = c.memory().find(address_of(p));
  const bool managed =
      a && a->kind == sim::memory::Kind::managed && bytes != 0 && a->contains(address_of(p), bytes);
  return managed ? &advices[a->serial] : nullptr;
}

cudaError_t advise(Context& c, const void* p, std::size_t n, cudaMemoryAdvise advice,
                   cudaMemLocation where) {
  Advice* const a = advice_for(c, p, n);
  if (!a) return cudaErrorInvalidValue;
  const bool needs_place = advice != cudaMemAdviseSetReadMostly &&
                           advice != cudaMemAdviseUnsetReadMostly &&
                           advice != cudaMemAdviseUnsetPreferredLocation;
  // The host is one NUMA node: to prefer it changes nothing that could be asked for.
  const bool host_node = (where.type == cudaMemLocationTypeHostNuma && where.id == 0) ||
                         where.type == cudaMemLocationTypeHostNumaCurrent;
  if (advice == cudaMemAdviseSetPreferredLocation && host_node) return cudaSuccess;
  if (needs_place && !is_place(c, where)) return cudaErrorInvalidValue;
  const bool device = where.type == cudaMemLocationTypeDevice;
  const auto accessed_by = [&](bool value) {
    if (!device) {
      a->accessed_by_host = value;
      return;
    }
    const sim::memory::DeviceSet bit = sim::memory::DeviceSet{1} << where.id;
    a->accessed_by = value ? a->accessed_by | bit : a->accessed_by & ~bit;
  };
  switch (advice) {
    case cudaMemAdviseSetReadMostly: a->read_mostly = true; break;
    case cudaMemAdviseUnsetReadMostly: a->read_mostly = false; break;
    case cudaMemAdviseSetPreferredLocation: a->preferred = number_of(where); break;
    case cudaMemAdviseUnsetPreferredLocation: a->preferred = nowhere; break;
    case cudaMemAdviseSetAccessedBy: accessed_by(true); break;
    case cudaMemAdviseUnsetAccessedBy: accessed_by(false); break;
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t ask(Context& c, void* data, std::size_t size, cudaMemRangeAttribute attribute,
                const void* p, std::size_t n) {
  if (!data || size < sizeof(int) || size % sizeof(int) != 0) return cudaErrorInvalidValue;
  const Advice* const a = advice_for(c, p, n);
  if (!a) return cudaErrorInvalidValue;
  int* const out = static_cast<int*>(data);
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly: *out = a->read_mostly; break;
    case cudaMemRangeAttributePreferredLocation: *out = a->preferred; break;
    case cudaMemRangeAttributeLastPrefetchLocation: *out = a->prefetched; break;
    case cudaMemRangeAttributePreferredLocationType: *out = type_of(a->preferred); break;
    case cudaMemRangeAttributePreferredLocationId: *out = a->preferred; break;
    case cudaMemRangeAttributeLastPrefetchLocationType: *out = type_of(a->prefetched); break;
    case cudaMemRangeAttributeLastPrefetchLocationId: *out = a->prefetched; break;
    case cudaMemRangeAttributeAccessedBy: {
      std::fill_n(out, size / sizeof(int), nowhere);
      std::size_t at = 0;
      const std::size_t room = size / sizeof(int);
      for (int d = 0; d < c.device_count() && at < room; ++d)
        if (a->accessed_by >> d & 1) out[at++] = d;
      if (a->accessed_by_host && at < room) out[at] = cudaCpuDeviceId;
      break;
    }
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

bool are_managed(Context& c, void** list, const std::size_t* bytes, std::size_t count) {
  if (!list || !bytes || count == 0) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (!advice_for(c, list[i], bytes[i])) return false;
  return true;
}

cudaError_t prefetch(Context& c, void** list, const std::size_t* bytes, std::size_t count,
                     const cudaMemLocation* places, const std::size_t* begins, std::size_t kinds) {
  if (!are_managed(c, list, bytes, count) || !places || !begins || kinds == 0 || kinds > count ||
      begins[0] != 0)
    return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < kinds; ++i)
    if (!is_place(c, places[i])) return cudaErrorInvalidValue;
  for (std::size_t i = 0, kind = 0; i < count; ++i) {
    while (kind + 1 < kinds && begins[kind + 1] <= i) ++kind;
    advice_for(c, list[i], bytes[i])->prefetched = number_of(places[kind]);
  }
  return cudaSuccess;
}

// What is discarded has unspecified contents until it is written again.
cudaError_t discard(Context& c, void** list, const std::size_t* bytes, std::size_t count) {
  if (!are_managed(c, list, bytes, count)) return cudaErrorInvalidValue;
  constexpr int unspecified = 0xcd;
  for (std::size_t i = 0; i < count; ++i) {
    const sim::memory::Allocation& a = *c.memory().find(address_of(list[i]));
    std::byte* const data = a.data + (address_of(list[i]) - a.begin);
    sim::check::Footprint touched;
    touched.of(sim::check::Use::written) = {{address_of(list[i]), address_of(list[i]) + bytes[i]}};
    c.submit({.kind = sim::TimelineEntry::Kind::marker,
              .name = "cudaMemDiscardBatchAsync",
              .touched = touched,
              .guards = {{.bytes = {address_of(list[i]), address_of(list[i]) + bytes[i]}}},
              .body = [data, n = bytes[i]](Operation&) { std::memset(data, unspecified, n); }});
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMemAdvise(const void* p, size_t n, cudaMemoryAdvise advice, cudaMemLocation where) {
  return api([&](Context& c) { return advise(c, p, n, advice, where); });
}
cudaError_t cudaMemPrefetchAsync(const void* p, size_t n, cudaMemLocation where, unsigned flags,
                                 cudaStream_t s) {
  return stream_api(s, "cudaMemPrefetchAsync", [&](Context& c) {
    if (where.type == cudaMemLocationTypeDevice && !is_place(c, where))
      return cudaErrorInvalidDevice;
    Advice* const a = flags == 0 ? advice_for(c, p, n) : nullptr;
    if (!a) return cudaErrorInvalidValue;
    a->prefetched = number_of(where);
    return cudaSuccess;
  });
}
// Ranges, all of managed memory.
cudaError_t cudaMemPrefetchBatchAsync(void** list, size_t* bytes, size_t count,
                                      cudaMemLocation* places, size_t* begins, size_t kinds,
                                      unsigned long long flags, cudaStream_t s) {
  return stream_api(s, "cudaMemPrefetchBatchAsync", [&](Context& c) {
    return flags == 0 ? prefetch(c, list, bytes, count, places, begins, kinds)
                      : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemDiscardBatchAsync(void** list, size_t* bytes, size_t count,
                                     unsigned long long flags, cudaStream_t s) {
  return stream_api(s, "cudaMemDiscardBatchAsync", [&](Context& c) {
    return flags == 0 ? discard(c, list, bytes, count) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** list, size_t* bytes, size_t count,
                                                cudaMemLocation* places, size_t* begins,
                                                size_t kinds, unsigned long long flags,
                                                cudaStream_t s) {
  return stream_api(s, "cudaMemDiscardAndPrefetchBatchAsync", [&](Context& c) {
    if (flags != 0) return cudaErrorInvalidValue;
    const cudaError_t error = prefetch(c, list, bytes, count, places, begins, kinds);
    return error == cudaSuccess ? discard(c, list, bytes, count) : error;
  });
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, cudaMemRangeAttribute attribute,
                                     const void* p, size_t n) {
  return api([&](Context& c) { return ask(c, data, size, attribute, p, n); });
}
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes, cudaMemRangeAttribute* attributes,
                                      size_t count, const void* p, size_t n) {
  return api([&](Context& c) {
    if (!data || !sizes || !attributes || count == 0) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (const cudaError_t error = ask(c, data[i], sizes[i], attributes[i], p, n);
          error != cudaSuccess)
        return error;
    return cudaSuccess;
  });
}

}  // extern "C"
