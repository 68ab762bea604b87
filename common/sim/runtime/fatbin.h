// The fat binary that nvcc puts into an object: PTX text and machine code for one or more devices.
//
// The layout is NVIDIA's and undocumented; every size is checked before it is used. Multi-byte
// fields are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sim::runtime {

struct FatBinary {
  struct Ptx {
    std::uint32_t arch = 0;  // 80 for compute_80
    std::string_view text;
  };
  struct Cubin {
    std::uint32_t arch = 0;
    std::span<const std::byte> elf;
  };
  std::vector<Ptx> ptx;
  std::vector<Cubin> cubins;
  std::string problem;  // not empty: what is wrong, and what to do about it
};

// Whether `data` begins as a container does; otherwise it may be PTX text.
bool is_fat_binary(std::string_view data);
// Bytes of the container at `data`.
std::size_t fat_binary_bytes(const void* data);

// Reads the container at `data`, of at most `limit` bytes. The result points into it.
FatBinary read_fat_binary(const std::byte* data, std::size_t limit);

// What __cudaRegisterFatBinary is given: a wrapper that points to the container.
FatBinary read_fat_binary_wrapper(const void* wrapper);

}  // namespace sim::runtime
