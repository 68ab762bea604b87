// The operands of texture and surface instructions.
//
//   tex    {r, g, b, a}[|p], [handle, {coordinates}] [, level | , {dx}, {dy}]
//   suld   {r, …}, [handle, {coordinates}]        sust, sured   [handle, {coordinates}], {r, …}
//   txq    d, [handle]
//
// The handle becomes the address' base. The sources are the coordinates, four of them with what is
// unused absent, then the rest in order.
#include "sim/ir/body_decoder.h"

namespace sim::ir {

namespace {

// How many numbers name a texel, and how many stand in the text: {x, y, z} is written as {x, y, z,
// x}.
struct Coordinates {
  std::size_t used, written;
};
Coordinates coordinates_of(ptx::Geometry g) {
  switch (g) {
    case ptx::Geometry::d1: return {1, 1};
    case ptx::Geometry::d2:
    case ptx::Geometry::a1d: return {2, 2};
    case ptx::Geometry::d3:
    case ptx::Geometry::a2d:
    case ptx::Geometry::cube: return {3, 4};
    default: return {4, 4};
  }
}

// Of dx and dy: layers have none.
Coordinates derivatives_of(ptx::Geometry g) {
  switch (g) {
    case ptx::Geometry::d1:
    case ptx::Geometry::a1d: return {1, 1};
    case ptx::Geometry::d2:
    case ptx::Geometry::a2d: return {2, 2};
    default: return {3, 4};
  }
}

}  // namespace

BodyDecoder::Ranges BodyDecoder::texture(const ptx::Instruction& s,
                                         std::span<const ptx::Operand> written, Instruction& i) {
  const bool queries = i.opcode == Opcode::txq || i.opcode == Opcode::suq;
  const bool samples = i.opcode == Opcode::tex || i.opcode == Opcode::tld4;
  const bool writes = i.opcode == Opcode::sust || i.opcode == Opcode::sured;
  const std::string name(ptx::name_of(i.opcode));
  std::size_t at = 0;
  const auto next = [&](const char* what) -> const ptx::Operand& {
    if (at >= written.size()) fail(s.at, name + " needs " + what);
    return written[at++];
  };
  const bool complete = queries ? i.modifiers.query != ptx::ImageQuery::none
                                : i.modifiers.geometry != ptx::Geometry::none;
  if (!complete || i.type == Type::none)
    fail(s.at,
         std::string(s.mnemonic) + " names no " + (queries ? "property" : "shape") + " or no type");

  std::vector<Operand>& out = function_.operands;
  const auto top = [&] { return static_cast<std::uint32_t>(out.size()); };
  const unsigned bytes = ptx::bytes_of(i.type);
  Ranges range{};
  range.result = top();
  if (!writes) {
    const ptx::Operand* texel = &next("a result");
    const ptx::Operand* resident = nullptr;
    if (texel->kind == OperandKind::pair) {
      const auto both = source_.elements_of(*texel);
      texel = &both[0];
      resident = &both[1];
    }
    flat_.clear();
    flatten(*texel, flat_);
    if (flat_.size() != i.vector)
      fail(s.at, std::string(s.mnemonic) + " has " + std::to_string(i.vector) +
                     " results, and here are " + std::to_string(flat_.size()));
    for (const ptx::Operand* o : flat_) out.push_back(result(*o, bytes, i));
    if (resident) out.push_back(result(*resident, 0, i));
  }
  range.results = top() - range.result;

  // [handle] or [handle, coordinates]
  const ptx::Operand& place = next("an address in [ ]");
  const ptx::Operand* handle = &place;
  flat_.clear();
  if (!queries) {
    const auto parts = place.kind == OperandKind::indirect ? source_.elements_of(place)
                                                           : std::span<const ptx::Operand>();
    if (parts.size() != 2) fail(place.at, name + " needs [handle, {coordinates}]");
    handle = &parts[0];
    flatten(parts[1], flat_);
  } else if (place.kind != OperandKind::address || place.offset != 0) {
    fail(place.at, name + " needs [handle]");
  }
  const auto symbol = find(handle->name);
  if (!symbol) fail(handle->at, "unknown name " + std::string(handle->name));
  if (symbol->kind != Symbol::Kind::reg || ptx::bytes_of(symbol->type) != 8) {
    refuse(name + " with a texture or surface reference, not an object");
    return range;
  }
  i.address.base.bank = Bank::frame;
  i.address.base.bytes = 8;
  i.address.base.offset = symbol->offset;
  range.source = top();
  if (queries) {
    if (at != written.size()) fail(written[at].at, name + " has one operand too many");
    return range;
  }

  const auto add = [&](const ptx::Operand& o, unsigned width) {
    out.push_back(source(o, width, i));
    if (out.back().bank == Bank::special) refuse("a special register as an operand of " + name);
  };
  const auto add_vector = [&](Coordinates wanted, std::size_t room, unsigned width) {
    if (flat_.size() < wanted.used || flat_.size() > wanted.written)
      fail(s.at, std::string(s.mnemonic) + " needs " + std::to_string(wanted.used) +
                     " coordinates, and here are " + std::to_string(flat_.size()));
    for (std::size_t k = 0; k < room; ++k) {
      if (k < wanted.used)
        add(*flat_[k], width);
      else
        out.push_back({});
    }
  };
  add_vector(coordinates_of(i.modifiers.geometry), 4, 4);
  if (writes) {
    flat_.clear();
    flatten(next("a value"), flat_);
    if (flat_.size() != i.vector)
      fail(s.at, std::string(s.mnemonic) + " writes " + std::to_string(i.vector) +
                     " values, and here are " + std::to_string(flat_.size()));
    for (const ptx::Operand* o : flat_) add(*o, bytes);
  }
  if (i.modifiers.mip == ptx::Mip::level) add(next("a level"), 4);
  if (i.modifiers.mip == ptx::Mip::grad)
    for (int derivative = 0; derivative < 2; ++derivative) {
      flat_.clear();
      flatten(next("two derivatives"), flat_);
      add_vector(derivatives_of(i.modifiers.geometry), 3, 4);
    }
  if (at != written.size()) {
    if (!samples) fail(written[at].at, name + " has one operand too many");
    refuse(name + " with an offset or a depth to compare with");
  }
  range.sources = top() - range.source;
  return range;
}

}  // namespace sim::ir
