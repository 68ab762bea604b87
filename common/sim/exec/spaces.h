// Where shared and local memory appear among generic addresses.
//
// Shared and local addresses count from 0 in each block or thread. A generic address of theirs is
// the window's base plus that offset. The windows lie above the 47 bits that user space can map, so
// they meet neither host pointers nor device memory.
#pragma once

#include "sim/memory/memory.h"

namespace sim::exec {

inline constexpr memory::Address shared_window = 0x0100'0000'0000'0000;
inline constexpr memory::Address local_window = 0x0200'0000'0000'0000;
inline constexpr memory::Address parameter_window = 0x0400'0000'0000'0000;  // a kernel's parameters
inline constexpr memory::Address window_size = 0x0000'0001'0000'0000;       // 4 GiB each

inline bool in_shared_window(memory::Address a) { return a - shared_window < window_size; }
inline bool in_local_window(memory::Address a) { return a - local_window < window_size; }
inline bool in_parameter_window(memory::Address a) { return a - parameter_window < window_size; }

}  // namespace sim::exec
