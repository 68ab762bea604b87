// Copies to, from and between CUDA arrays.
#pragma once

#include "sim/runtime/copies.h"
#include "sim/runtime/images.h"

namespace sim::runtime {

// A byte of a row of an array. The extents of copies are in bytes, too.
struct ArrayPlace {
  const cudaArray* array = nullptr;
  std::size_t x = 0, y = 0, z = 0;
};

cudaError_t copy_to_array(Context& c, ArrayPlace to, const void* from, Layout layout, Extent e,
                          cudaMemcpyKind kind, const char* call);
cudaError_t copy_from_array(Context& c, void* to, Layout layout, ArrayPlace from, Extent e,
                            cudaMemcpyKind kind, const char* call);
cudaError_t copy_between_arrays(Context& c, ArrayPlace to, ArrayPlace from, Extent e,
                                cudaMemcpyKind kind, const char* call);
// As cudaMemcpy3D says it: extents in texels when there is an array, in bytes otherwise.
cudaError_t copy_3d(Context& c, const cudaMemcpy3DParms* p, const char* call);

}  // namespace sim::runtime
