// Copies to, from and between CUDA arrays: the calls. Offsets and widths in x are in bytes.
#include "sim/runtime/api.h"
#include "sim/runtime/array_copies.h"

namespace sim::runtime {

namespace {

// The old calls copy `count` bytes that run on from one row into the next: what is left of the
// first row, whole rows, and the beginning of a last one.
template <class CopyRows>  // (x, y, extent, bytes before it)
cudaError_t running_on(const cudaArray* array, std::size_t x, std::size_t y, std::size_t count,
                       CopyRows&& copy_rows) {
  const std::size_t row = array->row_bytes();
  std::size_t done = 0;
  while (done < count) {
    const std::size_t left = count - done;
    Extent e{x >= row ? left : std::min(left, row - x), 1, 1};
    if (x == 0 && left >= row) e = {row, left / row, 1};
    if (const cudaError_t error = copy_rows(x, y, e, done); error != cudaSuccess) return error;
    done += e.width * e.height;
    y += e.height;
    x = 0;
  }
  return cudaSuccess;
}

cudaError_t no_such_array(Context& c, const cudaArray* array) {
  return c.images.is_array(array) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t to_array(Context& c, cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                     std::size_t count, cudaMemcpyKind kind, const char* call) {
  if (const cudaError_t error = no_such_array(c, to); error != cudaSuccess) return error;
  return running_on(
      to, x, y, count, [&](std::size_t at, std::size_t row, Extent e, std::size_t done) {
        return copy_to_array(c, {to, at, row, 0}, static_cast<const char*>(from) + done,
                             {e.width, 0}, e, kind, call);
      });
}
cudaError_t from_array(Context& c, void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                       std::size_t count, cudaMemcpyKind kind, const char* call) {
  if (const cudaError_t error = no_such_array(c, from); error != cudaSuccess) return error;
  return running_on(from, x, y, count,
                    [&](std::size_t at, std::size_t row, Extent e, std::size_t done) {
                      return copy_from_array(c, static_cast<char*>(to) + done, {e.width, 0},
                                             {from, at, row, 0}, e, kind, call);
                    });
}

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t w, size_t h, cudaMemcpyKind k) {
  return blocking_api([&](Context& c) {
    return copy_to_array(c, {to, x, y, 0}, from, {pitch, 0}, {w, h, 1}, k, "cudaMemcpy2DToArray");
  });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t w, size_t h, cudaMemcpyKind k,
                                     cudaStream_t s) {
  return stream_api(s, "cudaMemcpy2DToArrayAsync", [&](Context& c) {
    return copy_to_array(c, {to, x, y, 0}, from, {pitch, 0}, {w, h, 1}, k,
                         "cudaMemcpy2DToArrayAsync");
  });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t w, size_t h, cudaMemcpyKind k) {
  return blocking_api([&](Context& c) {
    return copy_from_array(c, to, {pitch, 0}, {from, x, y, 0}, {w, h, 1}, k,
                           "cudaMemcpy2DFromArray");
  });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t w, size_t h, cudaMemcpyKind k,
                                       cudaStream_t s) {
  return stream_api(s, "cudaMemcpy2DFromArrayAsync", [&](Context& c) {
    return copy_from_array(c, to, {pitch, 0}, {from, x, y, 0}, {w, h, 1}, k,
                           "cudaMemcpy2DFromArrayAsync");
  });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t w, size_t h,
                                     cudaMemcpyKind k) {
  return blocking_api([&](Context& c) {
    return copy_between_arrays(c, {to, to_x, to_y, 0}, {from, x, y, 0}, {w, h, 1}, k,
                               "cudaMemcpy2DArrayToArray");
  });
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t n,
                              cudaMemcpyKind k) {
  return blocking_api(
      [&](Context& c) { return to_array(c, to, x, y, from, n, k, "cudaMemcpyToArray"); });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t n,
                                   cudaMemcpyKind k, cudaStream_t s) {
  return stream_api(s, "cudaMemcpyToArrayAsync", [&](Context& c) {
    return to_array(c, to, x, y, from, n, k, "cudaMemcpyToArrayAsync");
  });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t n,
                                cudaMemcpyKind k) {
  return blocking_api(
      [&](Context& c) { return from_array(c, to, from, x, y, n, k, "cudaMemcpyFromArray"); });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t n,
                                     cudaMemcpyKind k, cudaStream_t s) {
  return stream_api(s, "cudaMemcpyFromArrayAsync", [&](Context& c) {
    return from_array(c, to, from, x, y, n, k, "cudaMemcpyFromArrayAsync");
  });
}
// Rows run on in both arrays; that is simple only when they are alike or one row is enough.
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t x, size_t y, size_t n, cudaMemcpyKind k) {
  return blocking_api([&](Context& c) {
    if (const cudaError_t error = no_such_array(c, from); error != cudaSuccess) return error;
    if (const cudaError_t error = no_such_array(c, to); error != cudaSuccess) return error;
    const size_t row = from->row_bytes();
    const bool alike = row == to->row_bytes() && x == to_x;
    if (!alike && (x + n > row || to_x + n > to->row_bytes())) return cudaErrorInvalidValue;
    return running_on(from, x, y, n, [&](size_t at, size_t from_row, Extent e, size_t) {
      return copy_between_arrays(c, {to, alike ? at : to_x, to_y + from_row - y, 0},
                                 {from, at, from_row, 0}, e, k, "cudaMemcpyArrayToArray");
    });
  });
}

}  // extern "C"
