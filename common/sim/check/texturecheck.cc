#include "sim/check/texturecheck.h"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "sim/check/source.h"
#include "sim/check/wording.h"

namespace sim::check {

using exec::TexelFault;
using exec::Texture;
using ptx::Geometry;
using Wrong = TexelFault::Kind;

namespace {

// "a 2-D array", "layers of two dimensions"
std::string shape_text(Geometry g) {
  switch (g) {
    case Geometry::d1: return "one dimension";
    case Geometry::d2: return "two dimensions";
    case Geometry::d3: return "three dimensions";
    case Geometry::a1d: return "layers of one dimension";
    case Geometry::a2d: return "layers of two dimensions";
    case Geometry::cube: return "a cube map";
    case Geometry::acube: return "layers of cube maps";
    case Geometry::none: break;
  }
  return "";
}

std::string object_text(const Texture& t) {
  if (t.buffer) return "a texture of linear memory";
  return std::string(t.is_surface ? "a surface" : "a texture") + " of " + shape_text(t.shape);
}

std::string format_text(const memory::TexelFormat& f) {
  const std::string kind = f.kind == memory::TexelFormat::Kind::real             ? "floats"
                           : f.kind == memory::TexelFormat::Kind::signed_integer ? "signed integers"
                                                                                 : "integers";
  return kind + " of " + std::to_string(f.bits) + " bits";
}

Kind kind_of(Wrong kind) {
  switch (kind) {
    case Wrong::destroyed:
    case Wrong::freed: return Kind::use_after_free;
    case Wrong::outside:
    case Wrong::past_end: return Kind::out_of_bounds;
    case Wrong::misaligned: return Kind::misaligned;
    default: return Kind::api_misuse;
  }
}

Coordinates split(std::uint64_t number, const exec::Dim3& shape) {
  return {static_cast<std::uint32_t>(number % shape.x),
          static_cast<std::uint32_t>(number / shape.x % shape.y),
          static_cast<std::uint32_t>(number / shape.x / shape.y)};
}

std::string position(const Coordinates& c, const exec::Dim3& of) {
  if (of.y == 1 && of.z == 1) return std::to_string(c.x);
  std::string text = "(" + std::to_string(c.x) + "," + std::to_string(c.y);
  if (of.z != 1) text += "," + std::to_string(c.z);
  return text + ")";
}

}  // namespace

void Texturecheck::misused(const TexelFault& fault) {
  Misuse m{fault, 0, static_cast<std::uint64_t>(std::popcount(fault.lanes)), {}};
  m.thread =
      fault.where.warp * exec::lanes + static_cast<std::uint32_t>(exec::first_lane(fault.lanes));
  if (fault.where.calls) m.calls = *fault.where.calls;
  m.fault.where.calls = nullptr;
  add(std::move(m));
}

void Texturecheck::add(Misuse m) {
  const auto it = std::ranges::find_if(misuses_, [&](const Misuse& known) {
    return known.fault.kind == m.fault.kind && known.fault.texture == m.fault.texture &&
           known.fault.where.function == m.fault.where.function &&
           known.fault.where.pc == m.fault.where.pc;
  });
  if (it == misuses_.end()) return misuses_.push_back(std::move(m));
  const std::uint64_t sum = it->occurrences + m.occurrences;
  if (std::tie(m.fault.where.block, m.thread) < std::tie(it->fault.where.block, it->thread))
    *it = std::move(m);
  it->occurrences = sum;
}

void Texturecheck::join(Observer& other) {
  for (Misuse& m : static_cast<Texturecheck&>(other).misuses_) add(std::move(m));
}

Finding Texturecheck::finding(const Misuse& m) const {
  const TexelFault& fault = m.fault;
  const Texture* t = fault.texture;
  Finding f;
  f.kind = kind_of(fault.kind);
  f.launch = info_.serial;
  f.block = split(fault.where.block, info_.grid);
  f.thread = split(m.thread, info_.block);
  f.occurrences = m.occurrences;
  f.access = fault.access == exec::AccessKind::load ? "read" : "write";
  f.bytes = fault.bytes;

  const Source source(*info_.module);
  std::vector<SourceLine> chain = source.chain(fault.where.instruction().location);
  for (auto call = m.calls.rbegin(); call != m.calls.rend(); ++call)
    for (SourceLine& line : source.chain((*call)->location)) chain.push_back(std::move(line));
  if (!chain.empty()) {
    f.where = chain.front();
    f.inlined_into.assign(chain.begin() + 1, chain.end());
  }
  const std::string who = "Thread " + position(*f.thread, info_.block) + " of block " +
                          position(*f.block, info_.grid) + " ";
  const std::string made = t && t->made.frames[0] && resolve_(t->made).line > 0
                               ? " made at " + brief(resolve_(t->made))
                               : "";
  const ptx::Opcode opcode = fault.where.instruction().opcode;
  const bool surface = opcode == ptx::Opcode::suld || opcode == ptx::Opcode::sust ||
                       opcode == ptx::Opcode::sured || opcode == ptx::Opcode::suq;
  const char* const object = surface ? "surface" : "texture";
  switch (fault.kind) {
    case Wrong::no_object:
      f.message = who + "uses a " + object + " object that does not exist.";
      f.advice = std::string(
                     "Was the object made, and did its creation succeed? A handle of 0 is "
                     "what a variable holds that nobody set. A real GPU reads ") +
                 "whatever it finds.";
      break;
    case Wrong::other_device:
      f.message = who + "uses a " + object + " object" + made + " for device " +
                  std::to_string(t->device) + ", and the kernel runs on device " +
                  std::to_string(info_.device) + ".";
      f.advice =
          "An object belongs to the device that was current when it was made; on another its "
          "handle means nothing, or another object. Make one for each device.";
      break;
    case Wrong::destroyed:
      f.message = who + "uses the " + object + " object" + made +
                  ", which was destroyed before the launch.";
      f.advice =
          "Destroy an object when no kernel that uses it is left. A real GPU does not notice: "
          "it reads whatever the handle leads to now.";
      break;
    case Wrong::freed:
      f.message = who + "uses the " + object + " object" + made + ", whose memory was freed.";
      f.advice = "The object goes first, then its array or memory.";
      break;
    case Wrong::wrong_shape:
      f.message = who + "uses " + object_text(*t) + made + " as if it were " +
                  (surface ? "a surface of " : "a texture of ") +
                  shape_text(fault.where.instruction().modifiers.geometry) + ".";
      f.advice =
          "The function must fit the object: tex1Dfetch for linear memory, tex2D for a 2-D "
          "array, tex2DLayered for layers, surf2Dread for a surface. The result is 0 here and "
          "may be anything on a real GPU.";
      break;
    case Wrong::wrong_type: {
      const memory::TexelFormat& format = t->levels[0].format;
      const bool wants_float = fault.where.instruction().type == ptx::Type::f32;
      f.message = who + "reads " + (wants_float ? "floats" : "integers") + " from " +
                  object_text(*t) + made + " that gives " +
                  (wants_float ? format_text(format) : "floats") + ".";
      f.advice =
          wants_float
              ? "The bits are not converted: read it as the type of its texels, or make it "
                "with cudaReadModeNormalizedFloat to read fractions."
              : "The bits are not converted: read it as float. cudaReadModeElementType gives "
                "integers as they are.";
      break;
    }
    case Wrong::outside: {
      const memory::Image& image = t->levels[0];
      const std::uint64_t row = std::uint64_t{image.width} * image.format.bytes();
      f.message = who + (f.access == "read" ? "reads " : "writes ") + counted(fault.bytes, "byte") +
                  " outside of a surface" + made + ": at x = " + std::to_string(fault.at[0]) +
                  " bytes, y = " + std::to_string(fault.at[1]) +
                  (image.depth > 1 ? ", z = " + std::to_string(fault.at[2]) : "") +
                  ", where rows have " + counted(row, "byte") + " and there are " +
                  counted(image.height, "row") +
                  (image.depth > 1 ? " in " + counted(image.depth, "slice") : "") + ".";
      f.advice =
          "x counts bytes, not texels: x * sizeof(T). A real GPU ends the kernel with "
          "cudaErrorIllegalAddress; cudaBoundaryModeClamp and cudaBoundaryModeZero allow it.";
      break;
    }
    case Wrong::past_end:
      f.bytes = t->levels[0].format.bytes();
      f.message = who + "fetches texel " + std::to_string(fault.at[0]) +
                  " of a texture of linear memory" + made + " that has " +
                  counted(t->levels[0].width, "texel") + ".";
      f.advice =
          "A real GPU gives 0 here and goes on, so nothing else will tell. sizeInBytes of the "
          "resource says how many texels there are.";
      break;
    case Wrong::misaligned:
      f.message = who + "accesses a surface" + made + " at x = " + std::to_string(fault.at[0]) +
                  " bytes, which is no multiple of the " + counted(fault.bytes, "byte") +
                  " of the access.";
      f.advice = "x counts bytes, not texels: x * sizeof(T).";
      break;
  }
  return f;
}

std::vector<Finding> Texturecheck::findings() const {
  std::vector<Misuse> ordered = misuses_;
  std::ranges::sort(ordered, [](const Misuse& a, const Misuse& b) {
    return std::tie(a.fault.where.block, a.thread, a.fault.where.pc, a.fault.kind) <
           std::tie(b.fault.where.block, b.thread, b.fault.where.pc, b.fault.kind);
  });
  std::vector<Finding> findings;
  for (const Misuse& m : ordered) findings.push_back(finding(m));
  return findings;
}

}  // namespace sim::check
