// What the warp does for a step: run its handler, or something only the warp can do.
#pragma once

#include <cstdint>

#include "sim/ir/program.h"
#include "sim/memory/memory.h"

namespace sim::exec {

enum class Act : std::uint8_t {
  // Straight: the mask and the next pc do not change.
  plain,  // the step's handler does all
  clock,  // the same, after the warp has filled in the time
  space,  // the same, and then memory tells constants from other global addresses
  load,
  store,
  atomic,
  asynchronous,  // cp.async and mbarriers
  texture,       // textures and surfaces
  fence,
  stack,    // alloca and its relatives
  nothing,  // hints
  // Control: these end a stretch.
  sleep,  // nanosleep: gives way to other lanes and warps
  branch,
  jump_table,
  call,
  ret,
  exit,
  barrier,       // of the block
  warp_barrier,  // bar.warp.sync
  exchange,      // shfl, vote, match, redux, elect with .sync
  active_mask,
  trap,
};

constexpr bool is_straight(Act act) { return act <= Act::nothing; }
constexpr bool touches_memory(Act act) {
  return act == Act::load || act == Act::store || act == Act::atomic || act == Act::asynchronous;
}

inline bool is_clock(std::uint32_t special) {
  return special >= static_cast<std::uint32_t>(ir::Special::clock);
}

// A function's address, as taken by a kernel: this plus its index in the module.
inline constexpr memory::Address function_window = 0x0300'0000'0000'0000;

// Of one special register's lanes in the special bank: 32 lanes of up to 8 bytes.
inline constexpr std::uint32_t special_bytes = 256;

}  // namespace sim::exec
