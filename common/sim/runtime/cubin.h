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
  // Bytes of local memory that the instructions of one thread store and load, each counted once.
  // With no local array in the source these are the registers that were spilled, as `ptxas -v`
  // reports them.
  std::uint32_t local_stores = 0, local_loads = 0;
};

// By mangled name. Malformed input gives what could be read.
std::map<std::string, KernelCode> read_cubin(std::span<const std::byte> elf);

}  // namespace sim::runtime
