#include "sim/exec/memory_unit.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <sys/mman.h>

#include "sim/exec/atomics.h"
#include "sim/exec/block.h"
#include "sim/exec/movers.h"
#include "sim/exec/spaces.h"

namespace sim::exec {

namespace {

alignas(64) constexpr std::array<std::uint64_t, lanes> no_base{};

std::uint32_t access_bytes(const ir::Instruction& i) { return ptx::bytes_of(i.type) * i.vector; }

// Fills `site` from the addresses in a register, unless they repeat the shape that it holds.
template <class A>
void refresh(Worker& worker, Site& site, const A* address, Mask mask, std::uint32_t bytes) {
  const A* delta = reinterpret_cast<const A*>(site.delta.data());
  const A* keep = reinterpret_cast<const A*>(site.keep.data());
  const A base = address[first_lane(mask)];
  if (site.shape.active == mask && site.address_bytes == sizeof(A)) {
    A differs = 0;
    for (int l = 0; l < lanes; ++l)
      differs |= static_cast<A>(((address[l] - base) ^ delta[l]) & keep[l]);
    if (differs == 0) return;
  }
  A* new_delta = reinterpret_cast<A*>(site.delta.data());
  A* new_keep = reinterpret_cast<A*>(site.keep.data());
  Shape& shape = site.shape;
  shape.active = mask;
  shape.low = shape.high = 0;
  shape.misalignment = 0;
  bool broadcast = true, contiguous = true;
  const int first = first_lane(mask);
  for (int l = 0; l < lanes; ++l) {
    const bool on = mask >> l & 1;
    new_keep[l] = on ? static_cast<A>(~A{0}) : A{0};
    new_delta[l] = on ? static_cast<A>(address[l] - base) : A{0};
    const auto offset = static_cast<std::int64_t>(static_cast<std::make_signed_t<A>>(new_delta[l]));
    shape.offset[static_cast<std::size_t>(l)] = offset;
    if (!on) continue;
    shape.low = std::min(shape.low, offset);
    shape.high = std::max(shape.high, offset);
    shape.misalignment |= static_cast<std::uint64_t>(offset);
    broadcast &= offset == 0;
    contiguous &= offset == static_cast<std::int64_t>(bytes) * (l - first);
  }
  shape.kind = broadcast    ? Shape::Kind::broadcast
               : contiguous ? Shape::Kind::contiguous
                            : Shape::Kind::scattered;
  shape.serial = worker.next_serial();
  site.address_bytes = sizeof(A);
  site.allocation = nullptr;
}

// Whether the host can read this page: then a bad address is a host pointer, not a wild one.
bool is_host_memory(memory::Address address) {
  unsigned char resident;
  void* page = reinterpret_cast<void*>(address & ~std::uint64_t{4095});
  return address >> 47 == 0 && mincore(page, 1, &resident) == 0;
}

}  // namespace

const Shape& MemoryUnit::shape_of(Site& site, const Registers& registers, const ir::Operand& base,
                                  Mask mask, memory::Address& first) {
  const std::uint32_t bytes = access_bytes_;
  if (!base.present()) {
    refresh(worker_, site, no_base.data(), mask, bytes);
    first = 0;
  } else if (base.bytes == 4) {
    const auto* address = registers.lanes_of<std::uint32_t>(base);
    refresh(worker_, site, address, mask, bytes);
    first = address[first_lane(mask)];
  } else {
    const auto* address = registers.lanes_of<std::uint64_t>(base);
    refresh(worker_, site, address, mask, bytes);
    first = address[first_lane(mask)];
  }
  return site.shape;
}

std::byte* MemoryUnit::together(Site& site, const Request& request, const Shape& shape,
                                ptx::Space& space, memory::Address& base,
                                const memory::Allocation*& allocation) {
  const std::uint32_t bytes = request.bytes;
  if (((base | shape.misalignment) & (request.alignment - 1)) != 0) return nullptr;
  const memory::Address low = base + static_cast<std::uint64_t>(shape.low);
  const memory::Address high = base + static_cast<std::uint64_t>(shape.high) + bytes;
  if (space == ptx::Space::generic) {
    if (in_shared_window(low) && in_shared_window(high)) {
      space = ptx::Space::shared;
      base -= shared_window;
    } else if (low < shared_window && high < shared_window) {
      space = ptx::Space::global;
    } else {
      return nullptr;
    }
  }
  if (space == ptx::Space::local) return nullptr;
  if (space == ptx::Space::shared) {
    const auto from = static_cast<std::int64_t>(base) + shape.low;
    const auto to = static_cast<std::int64_t>(base) + shape.high + bytes;
    if (from < 0 || to > static_cast<std::int64_t>(block_.shared_bytes())) return nullptr;
    return block_.shared() + base;
  }
  const std::uint64_t epoch = worker_.machine.memory->epoch();
  if (!site.allocation || site.epoch != epoch || !site.allocation->contains(low, high - low)) {
    site.allocation = worker_.machine.memory->find(low);
    site.epoch = epoch;
    const bool read_only = request.kind != AccessKind::load && site.allocation &&
                           site.allocation->kind == memory::Kind::constant_variable;
    if (!site.allocation || !site.allocation->contains(low, high - low) || read_only ||
        !site.allocation->is_reached_by(worker_.machine.device, worker_.machine.peers)) {
      site.allocation = nullptr;
      return nullptr;
    }
  }
  allocation = site.allocation;
  return allocation->data + (base - allocation->begin);
}

void MemoryUnit::notify(Access access) const {
  const Registers registers = warp_.registers(*split_.frame);
  access.registers = &registers;
  access.shared = block_.shared();
  if (worker_.footprint && access.allocation) worker_.footprint->touch(access);
  for (Observer* o : worker_.watch.accesses) o->accessed(access);
}

void MemoryUnit::access(const Registers& registers, const Step& step, std::int32_t pc, Mask mask,
                        AccessKind kind) {
  const ir::Instruction& i = *step.instruction;
  if (i.space == ptx::Space::parameter) return parameter(registers, step, mask, kind);

  Site& site = worker_.site(split_.frame->code->site[static_cast<std::size_t>(pc)]);
  const std::uint32_t bytes = access_bytes_ = access_bytes(i);
  split_.pc = pc;  // for events
  memory::Address base;
  const Shape& shape = shape_of(site, registers, i.address.base, mask, base);
  base += static_cast<std::uint64_t>(i.address.displacement);

  const Request request{i.space, kind, bytes, bytes};
  ptx::Space space = i.space;
  const memory::Allocation* allocation = nullptr;
  memory::Address place = base;
  std::byte* origin = together(site, request, shape, space, place, allocation);
  if (!origin) return slow(registers, step, mask, kind, base, shape);
  if (!worker_.watch.accesses.empty() || worker_.footprint)
    notify({warp_.where(split_), space, kind, mask, bytes, place, &shape, allocation});

  if (kind == AccessKind::store) worker_.something_changed();
  const std::uint32_t element = ptx::bytes_of(i.type);
  const std::span<const ir::Operand> operands = kind == AccessKind::load ? i.results : i.sources;
  for (std::size_t e = 0; e < i.vector; ++e) {
    const ir::Operand& o = operands[e];
    if (o.sink) continue;
    const Mover& m = mover(i.type, o.bytes);
    if (kind == AccessKind::load)
      m.load(origin + e * element, shape, registers.lanes_of<std::byte>(o), mask);
    else
      m.store(origin + e * element, shape, registers.lanes_of<std::byte>(o), mask);
  }
}

// ---- Lane by lane ----

FaultKind MemoryUnit::why_not(memory::Address address) const {
  constexpr memory::Address near_null = 1u << 20;
  if (address < near_null) return FaultKind::null_pointer;
  const memory::DeviceMemory& memory = *worker_.machine.memory;
  if (const memory::Allocation* a = memory.nearest(address, 1);
      a && !a->live && a->contains(address, 1))
    return a->is_reached_by(worker_.machine.device, worker_.machine.peers)
               ? FaultKind::use_after_free
               : FaultKind::peer_memory;
  if (!memory.in_window(address) && is_host_memory(address)) return FaultKind::host_pointer;
  return FaultKind::out_of_bounds;
}

MemoryUnit::Place MemoryUnit::locate(const Request& request, memory::Address address,
                                     int lane) const {
  Place p;
  ptx::Space space = request.space;
  const std::uint32_t bytes = request.bytes;
  if (space == ptx::Space::generic) {
    if (in_shared_window(address)) {
      space = ptx::Space::shared;
      address -= shared_window;
    } else if (in_local_window(address)) {
      space = ptx::Space::local;
      address -= local_window;
    } else if (in_parameter_window(address)) {
      space = ptx::Space::parameter;
      address -= parameter_window;
    } else {
      space = ptx::Space::global;
    }
  }
  p.space = space;
  p.address = address;
  p.fault = FaultKind::out_of_bounds;
  if ((address & (request.alignment - 1)) != 0) {
    p.fault = FaultKind::misaligned;
    return p;
  }
  const auto inside = [&](std::uint64_t begin, std::uint64_t end) {
    return address >= begin && address <= end && bytes <= end - address;
  };
  switch (space) {
    case ptx::Space::shared:
      if (inside(0, block_.shared_bytes())) p.data = block_.shared() + address;
      break;
    case ptx::Space::local: {
      const std::uint64_t top = split_.frame->local_top();
      if (inside(0, top)) p.data = warp_.local(lane) + address;
      break;
    }
    case ptx::Space::parameter:
      if (inside(0, worker_.launch.parameters.size()) && request.kind == AccessKind::load)
        p.data = const_cast<std::byte*>(worker_.launch.parameters.data()) + address;
      break;
    default: {
      const memory::Allocation* a = worker_.machine.memory->find(address);
      if (!a || !a->contains(address, bytes)) {
        p.fault = why_not(a ? address + bytes - 1 : address);
      } else if (!a->is_reached_by(worker_.machine.device, worker_.machine.peers)) {
        p.fault = FaultKind::peer_memory;
      } else if (request.kind != AccessKind::load && a->kind == memory::Kind::constant_variable) {
        p.fault = FaultKind::read_only;
      } else {
        p.allocation = a;
        p.data = a->data + (address - a->begin);
      }
    }
  }
  return p;
}

void MemoryUnit::tell_constants(const Registers& registers, const Step& step, Mask mask) const {
  const ptx::Space asked = step.instruction->space;
  if (asked != ptx::Space::global && asked != ptx::Space::constant) return;
  const auto* address = registers.lanes_of<memory::Address>(step.source[0]);
  Mask constants = 0;
  each_lane(mask, [&](int l) {
    const memory::Allocation* a = worker_.machine.memory->find(address[l]);
    if (a && a->kind == memory::Kind::constant_variable && a->contains(address[l], 1))
      constants |= Mask{1} << l;
  });
  const Mask found = registers.predicate(step.result[0]);
  registers.set_predicate(step.result[0],
                          found & (asked == ptx::Space::constant ? constants : ~constants), mask);
}

// Finds each lane's place; reports the refused lanes and the accesses, and gives the places back.
Mask MemoryUnit::places(const Request& request, Mask mask, memory::Address base, const Shape& shape,
                        Places& place) {
  const AccessKind kind = request.kind;
  const std::uint32_t bytes = request.bytes;
  Mask good = 0;
  std::vector<Fault> faults;
  for (Mask left = mask; left; left &= left - 1) {
    const int l = first_lane(left);
    const auto at = static_cast<std::size_t>(l);
    place[at] = locate(request, base + static_cast<std::uint64_t>(shape.offset[at]), l);
    const Place& p = place[at];
    if (p.data) {
      good |= Mask{1} << l;
      continue;
    }
    auto same = std::find_if(faults.begin(), faults.end(), [&](const Fault& f) {
      return f.kind == p.fault && f.space == p.space;
    });
    if (same == faults.end()) {
      faults.push_back({warp_.where(split_), p.fault, p.space, kind, 0, bytes, {}});
      same = faults.end() - 1;
    }
    same->lanes |= Mask{1} << l;
    same->address[at] = p.address;
  }
  for (const Fault& f : faults) {
    worker_.fail(f.kind == FaultKind::misaligned ? Status::misaligned_address
                                                 : Status::illegal_address);
    for (Observer* o : worker_.watch.faults) o->faulted(f);
  }
  if (!worker_.watch.accesses.empty() || worker_.footprint) {
    // One event for each space that was reached.
    for (Mask left = good; left;) {
      const Place& first = place[static_cast<std::size_t>(first_lane(left))];
      Shape part;
      part.serial = worker_.next_serial();
      const memory::Allocation* allocation = first.allocation;
      for (Mask m = left; m; m &= m - 1) {
        const auto l = static_cast<std::size_t>(first_lane(m));
        if (place[l].space != first.space) continue;
        part.active |= Mask{1} << l;
        part.offset[l] = static_cast<std::int64_t>(place[l].address - first.address);
        part.low = std::min(part.low, part.offset[l]);
        part.high = std::max(part.high, part.offset[l]);
        part.misalignment |= static_cast<std::uint64_t>(part.offset[l]);
        if (place[l].allocation != allocation) allocation = nullptr;
      }
      left &= ~part.active;
      if (first.space == ptx::Space::parameter) continue;
      if (worker_.footprint && first.allocation && !allocation)
        worker_.stop(Status::unsupported, {});  // not on trial: lanes in several
      notify({warp_.where(split_), first.space, kind, part.active, bytes, first.address, &part,
              allocation},
             request);
    }
  }
  return good;
}

void MemoryUnit::slow(const Registers& registers, const Step& step, Mask mask, AccessKind kind,
                      memory::Address base, const Shape& shape) {
  const ir::Instruction& i = *step.instruction;
  if (kind == AccessKind::store) worker_.something_changed();
  Places place;
  const std::uint32_t bytes = access_bytes(i);
  const Mask good = places({i.space, kind, bytes, bytes}, mask, base, shape, place);
  const std::uint32_t element = ptx::bytes_of(i.type);
  const std::span<const ir::Operand> operands = kind == AccessKind::load ? i.results : i.sources;
  for (std::size_t e = 0; e < i.vector; ++e) {
    const ir::Operand& o = operands[e];
    if (o.sink) continue;
    static std::byte zeros[16];
    std::byte* data[lanes] = {};
    for (Mask left = mask; left; left &= left - 1) {
      const auto l = static_cast<std::size_t>(first_lane(left));
      data[l] = good >> l & 1 ? place[l].data + e * element : zeros;
    }
    const Mover& m = mover(i.type, o.bytes);
    if (kind == AccessKind::load)
      m.load_each(data, registers.lanes_of<std::byte>(o), mask);  // a refused lane reads zero
    else
      m.store_each(data, registers.lanes_of<std::byte>(o), good);
  }
}

Mask MemoryUnit::reach(const Registers& registers, const ir::Address& address, std::int32_t pc,
                       Mask mask, const Request& request, Places& place, std::int32_t site) {
  std::array<std::uint64_t, lanes> all{};
  const ir::Operand& base = address.base;
  const auto displacement = static_cast<std::uint64_t>(address.displacement);
  for (std::size_t l = 0; l < lanes; ++l)
    all[l] = displacement + (!base.present()   ? 0
                             : base.bytes == 4 ? registers.lanes_of<std::uint32_t>(base)[l]
                                               : registers.lanes_of<std::uint64_t>(base)[l]);
  return reach(all, pc, mask, request, place, site);
}

Mask MemoryUnit::reach(const std::array<std::uint64_t, lanes>& address, std::int32_t pc, Mask mask,
                       const Request& request, Places& place, std::int32_t which) {
  if (mask == 0) return 0;
  Site& site = worker_.site(split_.frame->code->site[static_cast<std::size_t>(pc)] + which);
  split_.pc = pc;
  refresh(worker_, site, address.data(), mask, request.bytes);
  const Shape& shape = site.shape;
  const memory::Address base = address[static_cast<std::size_t>(first_lane(mask))];
  ptx::Space space = request.space;
  const memory::Allocation* allocation = nullptr;
  memory::Address first = base;
  std::byte* origin = together(site, request, shape, space, first, allocation);
  if (!origin) return places(request, mask, base, shape, place);
  if (!worker_.watch.accesses.empty() || worker_.footprint)
    notify(
        {warp_.where(split_), space, request.kind, mask, request.bytes, first, &shape, allocation},
        request);
  for (Mask left = mask; left; left &= left - 1) {
    const auto l = static_cast<std::size_t>(first_lane(left));
    place[l].data = origin + shape.offset[l];
    place[l].space = space;
    place[l].address = first + static_cast<std::uint64_t>(shape.offset[l]);
    place[l].allocation = allocation;
  }
  return mask;
}

// ---- Parameters: a kernel's are the same for all lanes, a call's lie in the frame ----

void MemoryUnit::parameter(const Registers& registers, const Step& step, Mask mask,
                           AccessKind kind) {
  const ir::Instruction& i = *step.instruction;
  const Frame& frame = *split_.frame;
  const ir::Function& f = *frame.code->function;
  const std::uint32_t element = ptx::bytes_of(i.type);
  const std::uint32_t bytes = access_bytes(i);
  const bool launch_area = !frame.caller;
  static std::byte zeros[64];
  std::byte* data[lanes] = {};
  for (Mask left = mask; left; left &= left - 1) {
    const auto l = static_cast<std::size_t>(first_lane(left));
    std::uint64_t offset = static_cast<std::uint64_t>(i.address.displacement);
    if (const ir::Operand& base = i.address.base; base.present())
      offset += base.bytes == 4 ? registers.lanes_of<std::uint32_t>(base)[l]
                                : registers.lanes_of<std::uint64_t>(base)[l];
    if (launch_area && offset + bytes <= worker_.launch.parameters.size() &&
        kind == AccessKind::load)
      data[l] = const_cast<std::byte*>(worker_.launch.parameters.data()) + offset;
    else if (offset + bytes <= f.area_bytes)
      data[l] = frame.area + l * f.area_bytes + offset;
    else
      data[l] = zeros;
  }
  const std::span<const ir::Operand> operands = kind == AccessKind::load ? i.results : i.sources;
  for (std::size_t e = 0; e < i.vector; ++e) {
    const ir::Operand& o = operands[e];
    if (!o.sink) {
      const Mover& m = mover(i.type, o.bytes);
      if (kind == AccessKind::load)
        m.load_each(data, registers.lanes_of<std::byte>(o), mask);
      else
        m.store_each(data, registers.lanes_of<std::byte>(o), mask);
    }
    for (Mask left = mask; left; left &= left - 1) data[first_lane(left)] += element;
  }
}

// ---- Atomics: lane after lane ----

namespace {

// 16 bytes at `data` of one lane exchanged, if they are what cas compares with. Whether they
// changed.
bool exchange_wide(const Registers& registers, const ir::Instruction& i, int lane,
                   std::byte* data) {
  using Wide = std::array<std::uint64_t, 2>;
  const auto own = [&](const ir::Operand& o) { return &registers.lanes_of<Wide>(o)[lane]; };
  const bool compares = i.modifiers.atomic == ptx::AtomicOp::cas;
  const Wide value = *own(i.sources[compares ? 1 : 0]);
  Wide old;
  std::memcpy(&old, data, sizeof old);
  const bool changes = value != old && (!compares || old == *own(i.sources[0]));
  if (changes) std::memcpy(data, &value, sizeof value);
  if (!i.results.empty() && !i.results[0].sink) *own(i.results[0]) = old;
  return changes;
}

}  // namespace

void MemoryUnit::atomic(const Registers& registers, const Step& step, std::int32_t pc, Mask mask) {
  const ir::Instruction& i = *step.instruction;
  const AccessKind kind = i.opcode == ptx::Opcode::red || !i.return_value_used
                              ? AccessKind::reduction
                              : AccessKind::atomic;
  Places place;
  const std::uint32_t all = access_bytes(i);
  const Mask good = reach(registers, i.address, pc, mask, {i.space, kind, all, all}, place);

  const std::uint32_t bytes = ptx::bytes_of(i.type);
  if (is_wide_exchange(i)) {
    for (Mask left = good & mask; left; left &= left - 1) {
      const int l = first_lane(left);
      if (exchange_wide(registers, i, l, place[static_cast<std::size_t>(l)].data))
        worker_.something_changed();
    }
    return;
  }
  const AtomicFunction anywhere = atomic_for(i), in_global = in_global_memory(anywhere);
  const bool swaps_if_equal = i.modifiers.atomic == ptx::AtomicOp::cas;
  const auto lane_value = [&](const ir::Operand& o, int l) {
    std::uint64_t value = 0;
    std::memcpy(
        &value,
        registers.lanes_of<std::byte>(o) + std::size_t{o.bytes} * static_cast<std::size_t>(l),
        o.bytes);
    return value;
  };
  for (Mask left = mask; left; left &= left - 1) {
    const int l = first_lane(left);
    for (std::size_t e = 0; e < i.vector; ++e) {
      std::uint64_t old = 0;
      if (good >> l & 1) {
        std::byte* data = place[static_cast<std::size_t>(l)].data + e * bytes;
        std::memcpy(&old, data, bytes);
        const std::uint64_t compare = swaps_if_equal ? lane_value(i.sources[0], l) : 0;
        const std::uint64_t operand = lane_value(i.sources[swaps_if_equal ? 1 : e], l);
        const bool global = place[static_cast<std::size_t>(l)].space == ptx::Space::global;
        const AtomicFunction apply = global ? in_global : anywhere;
        const std::uint64_t value = apply(old, operand, compare);
        std::memcpy(data, &value, bytes);
        if (value != old) worker_.something_changed();
      }
      if (e < i.results.size() && i.results[e].present() && !i.results[e].sink) {
        const ir::Operand& o = i.results[e];
        std::memcpy(
            registers.lanes_of<std::byte>(o) + std::size_t{o.bytes} * static_cast<std::size_t>(l),
            &old, o.bytes);
      }
    }
  }
}

}  // namespace sim::exec
