// Loads, stores and atomics of a warp: shape, translation, checks, events, and then the bytes.
//
// The fast path: the lanes' addresses have the shape they had last time, and the whole range lies
// in one live allocation (or in the block's shared memory) and is aligned. Then nothing is looked
// up and the bytes move in one loop. Everything else goes lane by lane through `slow`, which also
// finds out what was wrong.
#pragma once

#include "sim/exec/warp.h"

namespace sim::exec {

class MemoryUnit {
 public:
  MemoryUnit(Worker& worker, Block& block, Warp& warp, Split& split)
      : worker_(worker), block_(block), warp_(warp), split_(split) {}

  void load(const Registers& registers, const Step& step, std::int32_t pc, Mask mask) {
    access(registers, step, pc, mask, AccessKind::load);
  }
  void store(const Registers& registers, const Step& step, std::int32_t pc, Mask mask) {
    access(registers, step, pc, mask, AccessKind::store);
  }
  void atomic(const Registers& registers, const Step& step, std::int32_t pc, Mask mask);

 private:
  void access(const Registers& registers, const Step& step, std::int32_t pc, Mask mask,
              AccessKind kind);
  void slow(const Registers& registers, const Step& step, Mask mask, AccessKind kind,
            memory::Address base, const Shape& shape);
  void parameter(const Registers& registers, const Step& step, Mask mask, AccessKind kind);
  // Where one lane's bytes are, or why it may not touch them.
  struct Place {
    std::byte* data = nullptr;
    FaultKind fault{};
    ptx::Space space{};
    memory::Address address = 0;  // in that space
    const memory::Allocation* allocation = nullptr;
  };
  Mask places(const Step& step, Mask mask, AccessKind kind, memory::Address base,
              const Shape& shape, std::array<Place, lanes>& place);
  Place locate(ptx::Space space, memory::Address address, std::uint32_t bytes, int lane,
               AccessKind kind) const;
  FaultKind why_not(memory::Address address) const;
  const Shape& shape_of(Site& site, const Registers& registers, const ir::Operand& base, Mask mask,
                        memory::Address& first);
  void notify(const Access& access) const {
    for (Observer* o : worker_.watch.accesses) o->accessed(access);
  }

  Worker& worker_;
  Block& block_;
  Warp& warp_;
  Split& split_;
  std::uint32_t access_bytes_ = 0;
};

}  // namespace sim::exec
