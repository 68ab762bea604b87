#include "sim/exec/matrix_unit.h"

#include <cstring>

#include "sim/exec/matrix_layout.h"
#include "sim/ir/matrix_mnemonic.h"

namespace sim::exec {

using ptx::Opcode;

namespace {

// How a wmma's fragment goes to memory, as the machine code does it: in parts that stand together
// there. What a lane's registers repeat is moved once. Of 16-bit elements two make a part in any
// case: where the two of a register do not stand together in memory, the lanes move each other's,
// and exchange them in registers (as movmatrix does). And factors in shared memory come by
// ldmatrix.
struct Transfer {
  FragmentLayout layout;
  bool columns = false;            // column by column in memory
  bool neighbours_in_row = false;  // the elements of one register
  bool crosswise = false;          // lanes move each other's
  bool by_rows = false;            // of 8 elements; of up to 4 squares of 8 x 8 at a time
  int together = 1;                // elements of one access

  explicit Transfer(const ir::Instruction& i)
      : columns(i.matrix.a_columns), by_rows(loads_by_rows(i)) {
    const char name = i.matrix.fragment;
    const Fragment fragment = name == 'a' ? Fragment::a : name == 'b' ? Fragment::b : Fragment::c;
    layout = layout_of(i, fragment, static_cast<int>(fragment_registers(i, name)));
    neighbours_in_row = layout.at(0, 0).row == layout.at(0, 1).row;
    crosswise = !along_memory() && layout.bits == 16;
    if (!along_memory() && !crosswise) return;
    const bool pairs = fragment == Fragment::c && layout.bits >= 32;
    together = pairs ? 2 : layout.per_register;
  }
  int squares() const { return layout.distinct() / 2; }  // of 16-bit elements
  int accesses() const { return by_rows ? (squares() + 3) / 4 : layout.distinct() / together; }
  std::uint32_t bytes() const {
    return by_rows ? 16 : static_cast<std::uint32_t>(std::max(together * layout.bits / 8, 1));
  }
  // Whether the elements of a register stand together in memory.
  bool along_memory() const { return columns != neighbours_in_row; }
  // The first element that a lane moves in an access.
  Element first(int lane, int part) const {
    if (by_rows) {
      const Element e = layout.at(0, 2 * std::min(4 * part + lane / 8, squares() - 1));
      return columns ? Element{e.row, e.column + lane % 8} : Element{e.row + lane % 8, e.column};
    }
    if (!crosswise) return layout.at(lane, part * together);
    const Element e = layout.at(0, part * together);
    const int along = lane % 4 * 2, across = lane / 4;
    return neighbours_in_row ? Element{e.row + along, e.column + across}
                             : Element{e.row + across, e.column + along};
  }
};

bool is_load(const ir::Instruction& i) {
  return i.opcode == Opcode::ldmatrix || i.opcode == Opcode::wmma_load;
}

}  // namespace

std::int32_t MatrixUnit::accesses_of(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::ldmatrix:
    case Opcode::stmatrix: return 1;
    case Opcode::wmma_load:
    case Opcode::wmma_store: return Transfer(i).accesses();
    default: return 0;
  }
}

bool MatrixUnit::can_run(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::ldmatrix: return i.results.size() == i.matrix.count;
    case Opcode::stmatrix: return i.sources.size() == i.matrix.count;
    case Opcode::wmma_load: return i.results.size() == fragment_registers(i, i.matrix.fragment);
    case Opcode::wmma_store: {
      const std::size_t registers = fragment_registers(i, i.matrix.fragment);
      return i.sources.size() == registers || i.sources.size() == registers + 1;
    }
    default: return false;
  }
}

void MatrixUnit::run(const Registers& registers, const Step& step, std::int32_t pc, Mask mask) {
  const Opcode opcode = step.instruction->opcode;
  if (opcode == Opcode::ldmatrix || opcode == Opcode::stmatrix)
    rows(registers, step, pc, mask);
  else
    fragment(registers, step, pc, mask);
}

// ---- ldmatrix, stmatrix: lane 8 j + r names row r of matrix j, 16 bytes ----

void MatrixUnit::rows(const Registers& registers, const Step& step, std::int32_t pc, Mask mask) {
  const ir::Instruction& i = *step.instruction;
  const int count = i.matrix.count;
  const Mask named = count == 4 ? mask : mask & ((Mask{1} << 8 * count) - 1);
  MemoryUnit::Places place{};
  const AccessKind kind = is_load(i) ? AccessKind::load : AccessKind::store;
  const Mask good = memory_.reach(registers, i.address, pc, named, {i.space, kind, 16, 16}, place);
  const auto element = [&](int j, int row, int column) -> std::byte* {
    const auto l = static_cast<std::size_t>(8 * j + row);
    return good >> l & 1 ? place[l].data + 2 * column : nullptr;
  };
  const std::span<const ir::Operand> operands = is_load(i) ? i.results : i.sources;
  for (int j = 0; j < count; ++j) {
    const ir::Operand& o = operands[static_cast<std::size_t>(j)];
    if (o.sink) continue;
    auto* words = registers.lanes_of<std::uint32_t>(o);
    for (Mask left = mask; left; left &= left - 1) {
      const int l = first_lane(left);
      for (int part = 0; part < 2; ++part) {
        const int along = l % 4 * 2 + part, across = l / 4;
        std::byte* const at =
            i.matrix.transpose ? element(j, along, across) : element(j, across, along);
        auto* half = reinterpret_cast<std::byte*>(&words[l]) + 2 * part;
        if (is_load(i) && !at)
          std::memset(half, 0, 2);
        else if (is_load(i))
          std::memcpy(half, at, 2);
        else if (at)
          std::memcpy(at, half, 2);
      }
    }
  }
}

// ---- wmma.load, wmma.store: every element's place from the first one's and the stride ----

void MatrixUnit::fragment(const Registers& registers, const Step& step, std::int32_t pc,
                          Mask mask) {
  const ir::Instruction& i = *step.instruction;
  const Transfer t(i);
  const FragmentLayout& f = t.layout;
  const std::span<const ir::Operand> operands = is_load(i) ? i.results : i.sources;
  const auto registers_named = static_cast<std::size_t>(f.registers);
  const bool has_stride = i.sources.size() == (is_load(i) ? 1 : registers_named + 1);
  const ir::Operand* stride = has_stride ? &i.sources.back() : nullptr;
  const AccessKind kind = is_load(i) ? AccessKind::load : AccessKind::store;

  std::array<std::uint64_t, lanes> first{};
  const ir::Operand& base = i.address.base;
  for (std::size_t l = 0; l < lanes; ++l) {
    if (base.present())
      first[l] = base.bytes == 4 ? registers.lanes_of<std::uint32_t>(base)[l]
                                 : registers.lanes_of<std::uint64_t>(base)[l];
    first[l] += static_cast<std::uint64_t>(i.address.displacement);
  }

  for (int part = 0; part < t.accesses(); ++part) {
    std::array<std::uint64_t, lanes> address{};
    for (int l = 0; l < lanes; ++l) {
      const Element e = t.first(l, part);
      const int width = t.columns ? f.rows : f.columns;
      const auto step_of =
          static_cast<std::uint64_t>(stride ? registers.lanes_of<std::uint32_t>(*stride)[l]
                                            : static_cast<std::uint32_t>(width));
      const auto major = static_cast<std::uint64_t>(t.columns ? e.column : e.row);
      const auto minor = static_cast<std::uint64_t>(t.columns ? e.row : e.column);
      address[static_cast<std::size_t>(l)] =
          first[static_cast<std::size_t>(l)] +
          (major * step_of + minor) * static_cast<std::uint64_t>(f.bits) / 8;
    }
    const int rows = t.by_rows ? 8 * std::min(t.squares() - 4 * part, 4) : lanes;
    const Mask moving = rows == lanes ? mask : mask & ((Mask{1} << rows) - 1);
    MemoryUnit::Places place{};
    MemoryUnit::Request request{i.space, kind, t.bytes(), t.bytes()};
    if (t.by_rows) {
      request.spread = t.along_memory() ? Access::Spread::rows : Access::Spread::columns;
      request.operand = static_cast<std::uint16_t>(4 * part);
    } else if (t.crosswise) {
      request.spread = Access::Spread::crossed;
    } else {
      const int index = part * t.together;
      request.operand = static_cast<std::uint16_t>(index / f.per_register);
      request.operand_byte = static_cast<std::uint16_t>(index % f.per_register * f.bits / 8);
    }
    const Mask good = memory_.reach(address, pc, moving, request, place, part);

    const auto move = [&](std::byte* element, int from, std::size_t offset, std::size_t bytes) {
      const auto l = static_cast<std::size_t>(from);
      if (is_load(i) && (good >> l & 1) == 0)
        std::memset(element, 0, bytes);
      else if (is_load(i))
        std::memcpy(element, place[l].data + offset, bytes);
      else if (good >> l & 1)
        std::memcpy(place[l].data + offset, element, bytes);
    };
    for (Mask left = mask; left; left &= left - 1) {
      const int lane = first_lane(left);
      const auto l = static_cast<std::size_t>(lane);
      if (t.by_rows || t.crosswise) {
        // Element by element: where in its square it stands, and which lane moves it.
        const int first_square = t.by_rows ? 4 * part : part;
        const int end = t.by_rows ? std::min(t.squares(), first_square + 4) : first_square + 1;
        for (int square = first_square; square < end; ++square)
          for (int half = 0; half < 2; ++half) {
            auto* element =
                registers.lanes_of<std::byte>(operands[static_cast<std::size_t>(square)]) + l * 4 +
                2 * half;
            const int across = lane / 4, along = lane % 4 * 2 + half;
            if (t.by_rows)
              move(element, 8 * (square % 4) + (t.along_memory() ? across : along),
                   static_cast<std::size_t>(2 * (t.along_memory() ? along : across)), 2);
            else
              move(element, along * 4 + across / 2, static_cast<std::size_t>(across % 2 * 2), 2);
          }
        continue;
      }
      const int index = part * t.together;
      const auto reg = static_cast<std::size_t>(index / f.per_register);
      const std::size_t inside = static_cast<std::size_t>(index % f.per_register * f.bits / 8);
      const std::size_t whole = f.bits == 64 ? 8 : 4;
      std::size_t moved = 0;
      for (std::size_t r = reg; moved < t.bytes(); ++r) {
        const std::size_t n = std::min<std::size_t>(whole - inside, t.bytes() - moved);
        move(registers.lanes_of<std::byte>(operands[r]) + l * whole + inside, lane, moved, n);
        moved += n;
      }
    }
  }
  if (is_load(i)) repeat(registers, f, operands, mask);
}

// Registers beyond a lane's share hold it again.
void MatrixUnit::repeat(const Registers& registers, const FragmentLayout& f,
                        std::span<const ir::Operand> operands, Mask mask) {
  const auto share = static_cast<std::size_t>(f.distinct() / f.per_register);
  for (std::size_t r = share; share != 0 && r < operands.size(); ++r)
    for (Mask left = mask; left; left &= left - 1) {
      const int l = first_lane(left);
      registers.lanes_of<std::uint32_t>(operands[r])[l] =
          registers.lanes_of<std::uint32_t>(operands[r - share])[l];
    }
}

}  // namespace sim::exec
