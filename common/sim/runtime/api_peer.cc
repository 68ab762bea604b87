// Several devices: which can reach which, and copies between them that name both.
//
// Addresses tell whose memory it is, so that the devices a copy names matter only where they are
// none.
#include <string>

#include "sim/runtime/api.h"
#include "sim/runtime/array_copies.h"

namespace sim::runtime {

namespace {

// The copy is made all the same, as CUDA makes it.
void compare(Context& c, const void* pointer, int named, const char* call, const char* role) {
  const memory::Allocation* a = pointer ? c.memory().find(address_of(pointer)) : nullptr;
  if (!a || a->is_seen_by_host() || a->device == named) return;
  c.report(check::Kind::api_misuse,
           std::string(call) + ": the " + role + " is memory of device " +
               std::to_string(a->device) + ", and the call says device " + std::to_string(named) +
               ".",
           "The copy is made, since CUDA can tell from the pointers. Say what you mean: the "
           "destination and its device come first, then the source and its device.",
           a, check::Severity::warning);
}

cudaError_t copy_named(Context& c, void* to, int to_device, const void* from, int from_device,
                       std::size_t bytes, const char* call) {
  if (bytes == 0) return cudaSuccess;
  if (!c.is_device(to_device) || !c.is_device(from_device)) return cudaErrorInvalidDevice;
  compare(c, to, to_device, call, "destination");
  compare(c, from, from_device, call, "source");
  return copy(c, to, from, bytes, cudaMemcpyDeviceToDevice, call);
}

cudaError_t copy_box(Context& c, const cudaMemcpy3DPeerParms* p, const char* call) {
  if (!p) return cudaErrorInvalidValue;
  if (p->extent.width == 0 || p->extent.height == 0 || p->extent.depth == 0) return cudaSuccess;
  if (!c.is_device(p->srcDevice) || !c.is_device(p->dstDevice)) return cudaErrorInvalidDevice;
  compare(c, p->dstPtr.ptr, p->dstDevice, call, "destination");
  compare(c, p->srcPtr.ptr, p->srcDevice, call, "source");
  cudaMemcpy3DParms plain{};
  plain.srcArray = p->srcArray;
  plain.srcPos = p->srcPos;
  plain.srcPtr = p->srcPtr;
  plain.dstArray = p->dstArray;
  plain.dstPos = p->dstPos;
  plain.dstPtr = p->dstPtr;
  plain.extent = p->extent;
  plain.kind = cudaMemcpyDeviceToDevice;
  return copy_3d(c, &plain, call);
}

memory::DeviceSet bit(int device) { return memory::DeviceSet{1} << device; }

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

// ---- Who can reach whom ----
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return query([&](Context& c) {
    if (!can) return cudaErrorInvalidValue;
    if (!c.is_device(device) || !c.is_device(peer)) return cudaErrorInvalidDevice;
    *can = c.can_be_peers(device, peer);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  return query([&](Context& c) {
    if (!value) return cudaErrorInvalidValue;
    if (!c.is_device(device) || !c.is_device(peer) || device == peer) return cudaErrorInvalidDevice;
    switch (attribute) {
      case cudaDevP2PAttrPerformanceRank: *value = 0; break;
      case cudaDevP2PAttrAccessSupported:
      case cudaDevP2PAttrNativeAtomicSupported:
      case cudaDevP2PAttrCudaArrayAccessSupported: *value = c.can_be_peers(device, peer); break;
      default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return api([&](Context& c) {
    if (!c.is_device(peer)) return cudaErrorInvalidDevice;
    if (flags != 0) return cudaErrorInvalidValue;
    if (!c.can_be_peers(c.ordinal(), peer)) return cudaErrorPeerAccessUnsupported;
    if (c.current().peers & bit(peer)) return cudaErrorPeerAccessAlreadyEnabled;
    c.current().peers |= bit(peer);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return api([&](Context& c) {
    if (!c.is_device(peer)) return cudaErrorInvalidDevice;
    if (!(c.current().peers & bit(peer))) return cudaErrorPeerAccessNotEnabled;
    c.current().peers &= ~bit(peer);
    return cudaSuccess;
  });
}

// ---- Copies ----
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t n) {
  return blocking_api([&](Context& c) {
    return copy_named(c, to, to_device, from, from_device, n, "cudaMemcpyPeer");
  });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t n, cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpyPeerAsync", [&](Context& c) {
    return copy_named(c, to, to_device, from, from_device, n, "cudaMemcpyPeerAsync");
  });
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return blocking_api([&](Context& c) { return copy_box(c, p, "cudaMemcpy3DPeer"); });
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpy3DPeerAsync",
                    [&](Context& c) { return copy_box(c, p, "cudaMemcpy3DPeerAsync"); });
}

}  // extern "C"
