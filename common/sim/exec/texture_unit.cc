#include "sim/exec/texture_unit.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/exec/atomics.h"

namespace sim::exec {

namespace {

using ptx::Boundary;
using ptx::Geometry;
using ptx::Opcode;
using Wrong = TexelFault::Kind;

bool is_surface_access(Opcode o) {
  return o == Opcode::suld || o == Opcode::sust || o == Opcode::sured;
}

AccessKind access_of(Opcode o) {
  if (o == Opcode::sust) return AccessKind::store;
  return o == Opcode::sured ? AccessKind::reduction : AccessKind::load;
}

// A texel by its number, not by a coordinate.
bool by_index(const ir::Instruction& i) {
  return i.opcode == Opcode::tex && i.source_type == ptx::Type::s32;
}

// sured.p works on texels as what they hold; its own type tells their size only.
ir::Instruction as_signed(const ir::Instruction& i, bool is_signed) {
  ir::Instruction typed = i;
  if (i.modifiers.formatted &&
      (i.modifiers.atomic == ptx::AtomicOp::min || i.modifiers.atomic == ptx::AtomicOp::max ||
       i.modifiers.atomic == ptx::AtomicOp::add))
    typed.type = is_signed ? ptx::Type::s32 : ptx::Type::u32;
  return typed;
}

// A surface of a cube map is addressed as layers.
bool same_shape(const Texture& t, Geometry g) {
  if (!t.is_surface) return t.shape == g;
  const bool faces = t.shape == Geometry::cube || t.shape == Geometry::acube;
  return t.shape == g || (faces && g == Geometry::a2d);
}

}  // namespace

bool is_texture_form(const ir::Instruction& i) {
  const ir::Modifiers& m = i.modifiers;
  const bool cube = m.geometry == Geometry::cube || m.geometry == Geometry::acube;
  switch (i.opcode) {
    case Opcode::tex:
      if (by_index(i) && (cube || m.mip != ptx::Mip::none)) return false;
      return i.vector == 4 && ptx::bytes_of(i.type) == 4;
    case Opcode::tld4:
      return i.vector == 4 && ptx::bytes_of(i.type) == 4 && m.channel != ptx::Channel::none &&
             (cube || m.geometry == Geometry::d2 || m.geometry == Geometry::a2d);
    case Opcode::suld:
      return !m.formatted && m.boundary != Boundary::none && ptx::bytes_of(i.type) <= 8;
    case Opcode::sust:
      if (m.formatted && ptx::bytes_of(i.type) != 4) return false;
      return m.boundary != Boundary::none && ptx::bytes_of(i.type) <= 8;
    case Opcode::sured:
      if (m.formatted && ptx::bytes_of(i.type) != 4) return false;
      return m.boundary != Boundary::none && atomic_for(as_signed(i, false)) != nullptr;
    // Of the others, ptxas reads what CUDA does not provide: no kernel with them can be loaded.
    default:
      return ptx::bytes_of(i.type) == 4 &&
             (m.query == ptx::ImageQuery::width || m.query == ptx::ImageQuery::height ||
              m.query == ptx::ImageQuery::depth);
  }
}

std::uint64_t TextureUnit::value(const ir::Operand& o, int lane) const {
  std::uint64_t v = 0;
  std::memcpy(
      &v,
      registers_->lanes_of<std::byte>(o) + std::size_t{o.bytes} * static_cast<std::size_t>(lane),
      o.bytes);
  return v;
}

void TextureUnit::set(const ir::Operand& o, int lane, std::uint64_t v) {
  if (o.sink) return;
  std::memcpy(
      registers_->lanes_of<std::byte>(o) + std::size_t{o.bytes} * static_cast<std::size_t>(lane),
      &v, o.bytes);
}

void TextureUnit::run(const Registers& registers, const Step& step, std::int32_t pc, Mask mask) {
  registers_ = &registers;
  instruction_ = step.instruction;
  split_.pc = pc;  // for events
  const ir::Instruction& i = *instruction_;
  for (const ir::Operand& o : i.results) {
    if (o.bytes == 0)
      registers.set_predicate(o, mask, mask);  // every texel is resident
    else
      for (Mask left = mask; left; left &= left - 1) set(o, first_lane(left), 0);
  }
  for (Mask left = mask; left;) {
    const TextureTable::Handle handle = value(i.address.base, first_lane(left));
    Mask same = 0;
    for (Mask m = left; m; m &= m - 1)
      if (value(i.address.base, first_lane(m)) == handle) same |= Mask{1} << first_lane(m);
    left &= ~same;
    const Texture* texture = object(handle, same);
    if (!texture) continue;
    if (i.opcode == Opcode::txq || i.opcode == Opcode::suq)
      query_lanes(*texture, same);
    else if (is_surface_access(i.opcode))
      surface_lanes(*texture, same);
    else
      sample_lanes(*texture, same);
  }
}

const Texture* TextureUnit::object(TextureTable::Handle handle, Mask mask) {
  const ir::Instruction& i = *instruction_;
  const TextureTable* table = worker_.machine.textures;
  const Texture* t = table ? table->find(handle) : nullptr;
  const auto bad = [&](Wrong kind) -> const Texture* {
    refuse(kind, mask, t);
    return nullptr;
  };
  if (!t) return bad(Wrong::no_object);
  if (t->device != worker_.machine.device) return bad(Wrong::other_device);
  if (t->destroyed_at <= worker_.launch.issued_at) return bad(Wrong::destroyed);
  for (const memory::Image& image : t->levels) {
    const memory::Allocation* a = worker_.machine.memory->find(image.begin);
    if (!a || a->serial != image.serial) return bad(Wrong::freed);
  }
  const bool surface = is_surface_access(i.opcode) || i.opcode == Opcode::suq;
  if (t->is_surface != surface) return bad(Wrong::wrong_shape);
  if (i.opcode == Opcode::txq || i.opcode == Opcode::suq) return t;
  // One dimension is read by index from linear memory, and only from there.
  const bool linear = by_index(i) && i.modifiers.geometry == Geometry::d1;
  if (t->buffer != linear || !same_shape(*t, i.modifiers.geometry)) return bad(Wrong::wrong_shape);
  if (surface) return t;
  const bool gives_float =
      t->sampler.as_float || t->levels[0].format.kind == memory::TexelFormat::Kind::real;
  if (gives_float != (i.type == ptx::Type::f32)) refuse(Wrong::wrong_type, mask, t);
  return t;
}

void TextureUnit::sample_lanes(const Texture& texture, Mask mask) {
  const ir::Instruction& i = *instruction_;
  const ir::Modifiers& m = i.modifiers;
  const bool layered =
      m.geometry == Geometry::a1d || m.geometry == Geometry::a2d || m.geometry == Geometry::acube;
  const auto number = [&](std::size_t source, int lane) {
    const ir::Operand& o = i.sources[source];
    return o.present() ? std::bit_cast<float>(static_cast<std::uint32_t>(value(o, lane))) : 0.0f;
  };
  Texels texels;
  outside_ = 0;
  for (Mask left = mask; left; left &= left - 1) {
    const int lane = first_lane(left);
    Lookup l;
    l.geometry = m.geometry;
    l.mip = m.mip;
    l.gather = m.channel;
    if (by_index(i)) {
      l.by_index = true;
      // As everywhere, the layer stands in front.
      constexpr std::array<std::size_t, 3> plain{0, 1, 2}, row{1, 3, 0}, plane{1, 2, 0};
      const std::array<std::size_t, 3>& order = m.geometry == Geometry::a1d   ? row
                                                : m.geometry == Geometry::a2d ? plane
                                                                              : plain;
      for (std::size_t k = 0; k < 3; ++k)
        if (const ir::Operand& o = i.sources[order[k]]; o.present())
          l.index[k] = static_cast<std::int32_t>(value(o, lane));
    } else {
      if (layered) l.layer = static_cast<std::int32_t>(value(i.sources[0], lane));
      for (std::size_t k = 0; k < 3; ++k) l.at[k] = number(k + layered, lane);
      if (m.mip == ptx::Mip::level) l.level = number(4, lane);
      if (m.mip == ptx::Mip::grad)
        for (std::size_t k = 0; k < 3; ++k) {
          l.dx[k] = number(4 + k, lane);
          l.dy[k] = number(7 + k, lane);
        }
    }
    if (texture.buffer && static_cast<std::uint32_t>(l.index[0]) >= texture.levels[0].width) {
      if (!outside_) first_outside_ = {l.index[0], 0, 0};
      outside_ |= Mask{1} << lane;
    }
    const Sampled s = sample(texture, l);
    for (std::size_t k = 0; k < 4; ++k) set(i.results[k], lane, s.value[k]);
    for (std::uint32_t k = 0; k < s.texels; ++k)
      texels.push_back({s.texel[k], static_cast<std::uint8_t>(lane)});
  }
  if (outside_) refuse(Wrong::past_end, outside_, &texture, first_outside_);
  notify(texture, mask, AccessKind::load, texels);
}

void TextureUnit::query_lanes(const Texture& texture, Mask mask) {
  const memory::Image& image = texture.levels[0];
  // Width, height, depth, as far as the shape has them; layers come next. All as a GPU answers.
  std::array<std::uint32_t, 3> size{image.width, 0, 0};
  const bool surface = texture.is_surface;
  switch (texture.shape) {
    case Geometry::d1: size[1] = surface || texture.buffer ? 0 : 1; break;
    case Geometry::a1d: size[1] = image.depth; break;
    case Geometry::d2: size[1] = image.height; break;
    case Geometry::cube: size = {image.width, image.height, surface ? image.depth : 0}; break;
    case Geometry::acube:
      size = {image.width, image.height, surface ? image.depth : image.depth / 6};
      break;
    default: size = {image.width, image.height, image.depth}; break;
  }
  const auto which = static_cast<std::size_t>(instruction_->modifiers.query) -
                     static_cast<std::size_t>(ptx::ImageQuery::width);
  const std::uint32_t answer = size[which];
  for (Mask left = mask; left; left &= left - 1)
    set(instruction_->results[0], first_lane(left), answer);
}

// ---- Surfaces ----

// Of one lane: what the instruction says, or a whole texel.
std::uint32_t TextureUnit::access_bytes(const Texture& surface) const {
  const ir::Instruction& i = *instruction_;
  return i.modifiers.formatted ? surface.levels[0].format.bytes()
                               : ptx::bytes_of(i.type) * i.vector;
}

bool TextureUnit::place(const Texture& surface, int lane, std::array<std::int64_t, 3>& at) {
  const ir::Instruction& i = *instruction_;
  const memory::Image& image = surface.levels[0];
  const std::int64_t bytes = access_bytes(surface);
  const auto number = [&](std::size_t source) {
    const ir::Operand& o = i.sources[source];
    return o.present() ? std::int64_t{static_cast<std::int32_t>(value(o, lane))} : 0;
  };
  // {x}, {x, y}, {x, y, z}; with the layer in front {l, x}, {l, x, y}.
  switch (i.modifiers.geometry) {
    case Geometry::a1d: at = {number(1), 0, number(0)}; break;
    case Geometry::a2d: at = {number(1), number(2), number(0)}; break;
    default: at = {number(0), number(1), number(2)}; break;
  }
  if (i.modifiers.formatted) at[0] *= bytes;  // counts texels
  const std::array<std::int64_t, 3> last{std::int64_t{image.width} * image.format.bytes() - bytes,
                                         std::int64_t{image.height} - 1,
                                         std::int64_t{image.depth} - 1};
  bool inside = true;
  for (std::size_t k = 0; k < 3; ++k) inside &= at[k] >= 0 && at[k] <= last[k];
  if (!inside) {
    if (i.modifiers.boundary == Boundary::zero) return false;
    if (i.modifiers.boundary == Boundary::trap) {
      if (!outside_) first_outside_ = at;
      outside_ |= Mask{1} << lane;
      return false;
    }
    // A layer's number has no sign: a negative one is the last layer.
    const bool layered =
        i.modifiers.geometry == Geometry::a1d || i.modifiers.geometry == Geometry::a2d;
    if (layered && at[2] < 0) at[2] = last[2];
    for (std::size_t k = 0; k < 3; ++k) at[k] = std::clamp<std::int64_t>(at[k], 0, last[k]);
  }
  if (at[0] % bytes != 0) {
    if (!misaligned_) first_misaligned_ = at;
    misaligned_ |= Mask{1} << lane;
    return false;
  }
  return true;
}

void TextureUnit::surface_lanes(const Texture& surface, Mask mask) {
  const ir::Instruction& i = *instruction_;
  const memory::Image& image = surface.levels[0];
  const AccessKind kind = access_of(i.opcode);
  outside_ = misaligned_ = 0;
  Texels texels;
  for (Mask left = mask; left; left &= left - 1) {
    const int lane = first_lane(left);
    std::array<std::int64_t, 3> at;
    if (!place(surface, lane, at)) continue;
    const auto x = static_cast<std::uint64_t>(at[0]), y = static_cast<std::uint64_t>(at[1]),
               z = static_cast<std::uint64_t>(at[2]);
    texels.push_back({image.begin + image.offset(x, y, z), static_cast<std::uint8_t>(lane)});
  }
  if (outside_) refuse(Wrong::outside, outside_, &surface, first_outside_);
  if (misaligned_) refuse(Wrong::misaligned, misaligned_, &surface, first_misaligned_);
  notify(surface, mask & ~outside_ & ~misaligned_, kind, texels);
  move(image, kind, texels);
}

void TextureUnit::move(const memory::Image& image, AccessKind kind, const Texels& texels) {
  const ir::Instruction& i = *instruction_;
  const std::uint32_t bytes = ptx::bytes_of(i.type);
  const AtomicFunction change =
      kind == AccessKind::reduction
          ? atomic_for(as_signed(i, image.format.kind == memory::TexelFormat::Kind::signed_integer))
          : nullptr;
  for (const TexelAccess::Texel& texel : texels) {
    const int lane = texel.lane;
    std::byte* data = image.data + (texel.address - image.begin);
    if (kind == AccessKind::store && i.modifiers.formatted) {
      for (std::size_t e = 0; e < std::min<std::size_t>(i.vector, image.format.channels); ++e)
        encode_channel(image.format, static_cast<std::uint32_t>(value(i.sources[4 + e], lane)),
                       data + e * image.format.bits / 8);
      continue;
    }
    for (std::size_t e = 0; e < i.vector; ++e, data += bytes) {
      std::uint64_t v = 0;
      if (kind == AccessKind::store) {
        v = value(i.sources[4 + e], lane);
        std::memcpy(data, &v, bytes);
        continue;
      }
      std::memcpy(&v, data, bytes);
      if (kind == AccessKind::load) {
        set(i.results[e], lane, v);
      } else {
        v = change(v, value(i.sources[4 + e], lane), 0);
        std::memcpy(data, &v, bytes);
      }
    }
  }
}

// ---- Events ----

// A real GPU ends the kernel for what lies outside a surface; a bad handle goes unnoticed.
void TextureUnit::refuse(Wrong kind, Mask mask, const Texture* texture,
                         std::array<std::int64_t, 3> at) {
  const ir::Instruction& i = *instruction_;
  if (kind == Wrong::outside) worker_.fail(Status::illegal_address);
  if (kind == Wrong::misaligned) worker_.fail(Status::misaligned_address);
  const TexelFault event{
      warp_.where(split_),
      kind,
      access_of(i.opcode),
      mask,
      texture,
      at,
      texture && texture->is_surface ? access_bytes(*texture) : ptx::bytes_of(i.type) * i.vector};
  for (Observer* o : worker_.watch.texel_faults) o->misused(event);
}

void TextureUnit::notify(const Texture& texture, Mask mask, AccessKind kind, const Texels& texels) {
  const memory::Image& image = texture.levels[0];
  const memory::Allocation* allocation = nullptr;
  if (!worker_.watch.texels.empty() || worker_.footprint)
    allocation = worker_.machine.memory->find(image.begin);
  const std::uint32_t bytes = texture.is_surface ? access_bytes(texture) : image.format.bytes();
  // On trial, what is read must be known: linear memory may be written by other means.
  if (worker_.footprint && !image.tiled) {
    Shape one;
    one.kind = Shape::Kind::broadcast;
    for (const TexelAccess::Texel& t : texels) {
      one.active = Mask{1} << t.lane;
      worker_.footprint->touch({warp_.where(split_), ptx::Space::global, AccessKind::load,
                                one.active, bytes, t.address, &one, allocation});
    }
  }
  if (worker_.watch.texels.empty() || mask == 0) return;
  const TexelAccess event{warp_.where(split_), kind,   texture.is_surface, image.tiled, mask, bytes,
                          allocation,          texels, registers_};
  for (Observer* o : worker_.watch.texels) o->touched(event);
}

}  // namespace sim::exec
