// What reads the fat binary and the machine code in it, fed with anything. See fuzz.py.
#include <cstddef>
#include <cstdint>

#include "sim/runtime/cubin.h"
#include "sim/runtime/fatbin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sim::runtime;
  const FatBinary read = read_fat_binary(reinterpret_cast<const std::byte*>(data), size);
  for (const FatBinary::Cubin& cubin : read.cubins) read_cubin(cubin.elf);
  return 0;
}
