// A decoded instruction as the warp interpreter runs it: a handler and its operands.
//
// A handler applies one warp instruction to the lanes of `mask`. Registers are arrays of 32 lanes,
// so a handler is a loop that the compiler turns into vector instructions; the full mask, by far
// the most common, gets a loop without tests.
//
// Handlers are chosen once, by handler_for(), which is also the list of what is implemented.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/exec/shape.h"
#include "sim/ir/program.h"

namespace sim::exec {

// Where a warp's operands live, indexed by ir::Bank. `none` and `frame` … see ir/program.h.
struct Registers {
  std::array<std::byte*, 4> bank{};  // none, frame, constant, special

  template <class T>
  T* lanes_of(const ir::Operand& o) const {
    return reinterpret_cast<T*>(bank[static_cast<std::size_t>(o.bank)] + o.offset);
  }
  // The lanes for which a predicate operand holds.
  Mask predicate(const ir::Operand& o) const {
    const Mask value = *lanes_of<Mask>(o);
    return o.negated ? ~value : value;
  }
  void set_predicate(const ir::Operand& o, Mask value, Mask mask) const {
    if (o.sink) return;
    Mask& target = *lanes_of<Mask>(o);
    target = (target & ~mask) | (value & mask);
  }
};

struct Step;
using Handler = void (*)(const Registers&, const Step&, Mask);

struct Step {
  Handler run = nullptr;  // nullptr: control flow, memory and the like, done by the warp itself
  std::array<ir::Operand, 4> result{};
  std::array<ir::Operand, 4> source{};
  const ir::Instruction* instruction = nullptr;
};

// No lane reads what another writes: a result may share its register with a source, lane by lane.
#if defined(__clang__)
#define WW_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define WW_LANES _Pragma("GCC ivdep")
#endif

// result[l] = f(l) for the lanes of `mask`; T is the register's storage type. All lanes are
// computed and those of the mask kept, which vectorises whatever f is; so f must do no harm in
// other lanes.
template <class T, class F>
inline void for_lanes(T* result, Mask mask, F&& f) {
  if (mask == full_mask) {
    WW_LANES for (int l = 0; l < lanes; ++l) result[l] = f(l);
    return;
  }
  alignas(64) T all[lanes];
  for (int l = 0; l < lanes; ++l) all[l] = f(l);
  for (int l = 0; l < lanes; ++l) {
    const T now = all[l], before = result[l];
    result[l] = mask >> l & 1 ? now : before;
  }
}

// The same for an f that is expensive and does not vectorise.
template <class T, class F>
inline void for_each_lane(T* result, Mask mask, F&& f) {
  for (Mask left = mask; left; left &= left - 1) {
    const int l = first_lane(left);
    result[l] = f(l);
  }
}

// The handler that computes `instruction`, nullptr when the warp itself must do it (control flow,
// memory, barriers, calls) or nobody can. Instructions are chosen by opcode, types and modifiers.
Handler handler_for(const ir::Instruction& instruction);

// Empty when `instruction` is implemented; otherwise what is missing, e.g. "mma.sync.m16n8k16".
// The decoder calls it so that an unsupported kernel is refused before it runs.
std::string missing(const ir::Instruction& instruction);

}  // namespace sim::exec
