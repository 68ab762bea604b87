// What the machine code beside the PTX tells about each kernel: registers, stack, shared memory.
//
// These come from ptxas, not from the PTX, and make occupancy and spills real. They stand in the
// ELF file's .nv.info section as (format, attribute, size) records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace sim::runtime {

struct KernelCode {
  std::uint32_t registers = 0;     // per thread
  std::uint32_t stack_bytes = 0;   // frame per thread: local arrays and spilled registers
  std::uint32_t shared_bytes = 0;  // static, per block
};

// By mangled name. Malformed input gives what could be read.
std::map<std::string, KernelCode> read_cubin(std::span<const std::byte> elf);

}  // namespace sim::runtime
