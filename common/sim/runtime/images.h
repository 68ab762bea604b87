// CUDA arrays, and the textures and surfaces that the program has made.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include <cuda_runtime_api.h>

#include "sim/exec/texture.h"
#include "sim/memory/image.h"

struct cudaArray {
  sim::memory::Image image;
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};  // as the program gave it: 0 where there is no such dimension
  unsigned flags = 0;
  int device = 0;

  sim::ptx::Geometry shape() const;
  std::size_t row_bytes() const { return image.width * std::size_t{image.format.bytes()}; }
};

struct cudaMipmappedArray {
  std::vector<std::unique_ptr<cudaArray>> levels;
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 0;
  int device = 0;
};

namespace sim::runtime {

class Context;

struct Images {
  std::map<const cudaArray*, std::unique_ptr<cudaArray>> arrays;
  std::map<const cudaMipmappedArray*, std::unique_ptr<cudaMipmappedArray>> mipmapped;
  exec::TextureTable table;
  // What the objects that live were made from.
  struct Made {
    cudaResourceDesc resource{};
    cudaTextureDesc texture{};
    int device = 0;
  };
  std::map<exec::TextureTable::Handle, Made> made;

  bool is_array(const cudaArray* array) const;  // a level of a mipmapped array, too
  void clear(int device);                       // what it has
};

// A call was given an array that is none: says so.
cudaError_t no_array(Context& c, const char* call);

// The texels of a channel description; `channels` is 0 when there are no such texels.
memory::TexelFormat texel_format(const cudaChannelFormatDesc& channels);

}  // namespace sim::runtime
