#include "sim/runtime/fatbin.h"

#include <algorithm>
#include <cstring>

namespace sim::runtime {

namespace {

constexpr std::uint32_t container_magic = 0xba55ed50;
constexpr std::uint32_t wrapper_magic = 0x466243b1;
constexpr std::size_t container_header = 16;
constexpr std::size_t entry_header = 64;  // at least; the entry says how long its own is

constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_elf = 2;
constexpr std::uint64_t flag_lz4 = 0x2000;
constexpr std::uint64_t flag_zstd = 0x8000;

template <class T>
T field(const std::byte* p, std::size_t offset) {
  T value;
  std::memcpy(&value, p + offset, sizeof value);
  return value;
}

FatBinary broken(std::string what) {
  FatBinary f;
  f.problem = "the fat binary in this program cannot be read: " + std::move(what) +
              ". Compile again with the nvcc that this project uses.";
  return f;
}

}  // namespace

bool is_fat_binary(std::string_view data) {
  return data.size() >= sizeof container_magic &&
         field<std::uint32_t>(reinterpret_cast<const std::byte*>(data.data()), 0) ==
             container_magic;
}

std::size_t fat_binary_bytes(const void* data) {
  const auto* container = static_cast<const std::byte*>(data);
  return field<std::uint16_t>(container, 6) + field<std::uint64_t>(container, 8);
}

FatBinary read_fat_binary(const std::byte* data, std::size_t limit) {
  if (limit < container_header) return broken("it ends within its header");
  if (field<std::uint32_t>(data, 0) != container_magic) return broken("it does not begin as one");
  const std::size_t header = field<std::uint16_t>(data, 6);
  const std::uint64_t size = field<std::uint64_t>(data, 8);
  if (header < container_header || header > limit || size > limit - header)
    return broken("it is cut short");

  FatBinary fat;
  const std::size_t end = header + size;
  for (std::size_t at = header; at < end;) {
    if (end - at < entry_header) return broken("an entry is cut short");
    const std::byte* entry = data + at;
    const auto kind = field<std::uint16_t>(entry, 0);
    const std::size_t skip = field<std::uint32_t>(entry, 4);
    const std::uint64_t padded = field<std::uint64_t>(entry, 8);
    const auto arch = field<std::uint32_t>(entry, 28);
    const auto flags = field<std::uint64_t>(entry, 40);
    if (skip < entry_header || skip > end - at || padded > end - at - skip)
      return broken("an entry is longer than the whole");
    const std::byte* payload = entry + skip;
    if (kind == kind_ptx) {
      if (flags & (flag_lz4 | flag_zstd)) {
        fat.problem =
            "the PTX in this program is compressed, and the simulated GPU reads plain PTX. Add "
            "--no-compress to nvcc's options and compile again.";
        return fat;
      }
      const char* text = reinterpret_cast<const char*>(payload);
      fat.ptx.push_back({arch, {text, strnlen(text, padded)}});
    } else if (kind == kind_elf && !(flags & (flag_lz4 | flag_zstd))) {
      fat.cubins.push_back({arch, {payload, padded}});
    }
    at += skip + padded;
  }
  return fat;
}

FatBinary read_fat_binary_wrapper(const void* wrapper) {
  const auto* w = static_cast<const std::byte*>(wrapper);
  if (!w || field<std::uint32_t>(w, 0) != wrapper_magic) return broken("its wrapper is not nvcc's");
  if (field<std::uint32_t>(w, 4) != 1) {
    FatBinary f;
    f.problem =
        "this program was linked with relocatable device code (-rdc=true or -dlink), which the "
        "simulated GPU does not run. Put the kernels and the device functions they call into one "
        "source file and compile without -rdc.";
    return f;
  }
  const auto* container = field<const std::byte*>(w, 8);
  if (!container) return broken("its wrapper points nowhere");
  // The loader placed the whole section, so that the container's own size is the limit.
  return read_fat_binary(container, container_header + field<std::uint64_t>(container, 8));
}

}  // namespace sim::runtime
