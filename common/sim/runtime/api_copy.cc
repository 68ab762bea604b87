// Copies, fills and symbols: the calls.
#include "sim/runtime/api.h"
#include "sim/runtime/array_copies.h"

using namespace sim::runtime;

extern "C" {

// ---- Copies and fills ----
cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind k) {
  return blocking_api([&](Context& c) { return copy(c, to, from, n, k, "cudaMemcpy"); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n, cudaMemcpyKind k,
                            cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpyAsync",
                    [&](Context& c) { return copy(c, to, from, n, k, "cudaMemcpyAsync"); });
}
cudaError_t cudaMemcpy2D(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h,
                         cudaMemcpyKind k) {
  return blocking_api([&](Context& c) {
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
  return blocking_api([&](Context& c) { return copy_3d(c, p, "cudaMemcpy3D"); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpy3DAsync",
                    [&](Context& c) { return copy_3d(c, p, "cudaMemcpy3DAsync"); });
}
cudaError_t cudaMemset(void* to, int v, size_t n) {
  return default_stream_api([&](Context& c) {
    return fill(c, to, {n, n}, {n, 1, 1}, v, "cudaMemset");
  });
}
cudaError_t cudaMemsetAsync(void* to, int v, size_t n, cudaStream_t stream) {
  return stream_api(stream, "cudaMemsetAsync", [&](Context& c) {
    return fill(c, to, {n, n}, {n, 1, 1}, v, "cudaMemsetAsync");
  });
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int v, size_t w, size_t h) {
  return default_stream_api([&](Context& c) {
    return fill(c, to, {pitch, 0}, {w, h, 1}, v, "cudaMemset2D");
  });
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int v, size_t w, size_t h, cudaStream_t s) {
  return stream_api(s, "cudaMemset2DAsync", [&](Context& c) {
    return fill(c, to, {pitch, 0}, {w, h, 1}, v, "cudaMemset2DAsync");
  });
}
cudaError_t cudaMemset3D(cudaPitchedPtr p, int v, cudaExtent e) {
  return default_stream_api([&](Context& c) {
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
  return blocking_api([&](Context& c) {
    return copy_symbol(c, s, const_cast<void*>(from), n, offset, k, true, "cudaMemcpyToSymbol");
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* s, size_t n, size_t offset,
                                 cudaMemcpyKind k) {
  return blocking_api([&](Context& c) {
    return copy_symbol(c, s, to, n, offset, k, false, "cudaMemcpyFromSymbol");
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* s, const void* from, size_t n, size_t offset,
                                    cudaMemcpyKind k, cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpyToSymbolAsync", [&](Context& c) {
    return copy_symbol(c, s, const_cast<void*>(from), n, offset, k, true,
                       "cudaMemcpyToSymbolAsync");
  });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* s, size_t n, size_t offset,
                                      cudaMemcpyKind k, cudaStream_t stream) {
  return stream_api(stream, "cudaMemcpyFromSymbolAsync", [&](Context& c) {
    return copy_symbol(c, s, to, n, offset, k, false, "cudaMemcpyFromSymbolAsync");
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
