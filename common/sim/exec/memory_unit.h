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

  // isspacep: constants lie among the addresses of global memory, and only their allocation tells.
  void tell_constants(const Registers& registers, const Step& step, Mask mask) const;

  // For instructions that do more with their bytes than move or change them.
  struct Request {
    ptx::Space space;
    AccessKind kind;
    std::uint32_t bytes;      // of each lane
    std::uint32_t alignment;  // a power of two
    bool asynchronous = false;
    Access::Spread spread = Access::Spread::own;  // see there
    std::uint16_t operand = 0, operand_byte = 0;
  };
  // Where one lane's bytes are, or why it may not touch them.
  struct Place {
    std::byte* data = nullptr;
    FaultKind fault{};
    ptx::Space space{};
    memory::Address address = 0;  // in that space
    const memory::Allocation* allocation = nullptr;
  };
  using Places = std::array<Place, lanes>;
  // Finds each lane's place, reports the refused lanes and the access; gives the lanes that may
  // touch their bytes. `site`: which of the instruction's accesses this is.
  Mask reach(const Registers& registers, const ir::Address& address, std::int32_t pc, Mask mask,
             const Request& request, Places& place, std::int32_t site = 0);
  Mask reach(const std::array<std::uint64_t, lanes>& address, std::int32_t pc, Mask mask,
             const Request& request, Places& place, std::int32_t site = 0);

 private:
  void access(const Registers& registers, const Step& step, std::int32_t pc, Mask mask,
              AccessKind kind);
  void slow(const Registers& registers, const Step& step, Mask mask, AccessKind kind,
            memory::Address base, const Shape& shape);
  // The bytes of the first lane when all lanes' bytes lie together in one place that they may
  // touch, with the space and the address in it; nullptr when the lanes must be looked at one by
  // one.
  std::byte* together(Site& site, const Request& request, const Shape& shape, ptx::Space& space,
                      memory::Address& base, const memory::Allocation*& allocation);
  void parameter(const Registers& registers, const Step& step, Mask mask, AccessKind kind);
  Mask places(const Request& request, Mask mask, memory::Address base, const Shape& shape,
              Places& place);
  Place locate(const Request& request, memory::Address address, int lane) const;
  FaultKind why_not(memory::Address address) const;
  const Shape& shape_of(Site& site, const Registers& registers, const ir::Operand& base, Mask mask,
                        memory::Address& first);
  void notify(Access access) const;
  void notify(Access access, const Request& request) const {
    access.asynchronous = request.asynchronous;
    access.spread = request.spread;
    access.operand = request.operand;
    access.operand_byte = request.operand_byte;
    notify(access);
  }

  Worker& worker_;
  Block& block_;
  Warp& warp_;
  Split& split_;
  std::uint32_t access_bytes_ = 0;
};

}  // namespace sim::exec
