// Kernels of these tests: they get the address of an array `out` of 32-bit words.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support/ptx_kernel.h"

namespace exec_tests {

// %r1: the thread's number in its block; %d1: out; %d2: &out[%r1]. The statements may use the other
// registers.
inline std::string kernel(const std::string& statements) {
  return R"(.visible .entry k(.param .u64 out) {
    .reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %d<16>; .reg .f32 %f<16>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.s64 %d2, %d1, %d2;
)" + statements +
         "\n}\n";
}

struct Ran {
  sim::exec::Status status;
  std::vector<std::uint32_t> out;
};

inline Ran run(const std::string& module, std::vector<std::uint32_t> out, std::uint32_t blocks = 1,
               std::uint32_t threads = 32) {
  sim::test::PtxKernel k(module);
  REQUIRE(k.problem == "");
  const auto* memory = k.memory.allocate(out.size() * 4, sim::memory::Kind::device);
  std::memcpy(memory->data, out.data(), out.size() * 4);
  const sim::test::Outcome o = k.run({blocks}, {threads}, memory->begin);
  std::memcpy(out.data(), memory->data, out.size() * 4);
  return {o.status, out};
}

}  // namespace exec_tests
