// Textures and surfaces for a warp: handles to objects, coordinates to texels, and the events.
//
// Lanes may hold different handles; those that share one are served together. What is wrong with an
// object or a coordinate is told once for them all, and their result is zero.
#pragma once

#include <vector>

#include "sim/exec/sampling.h"
#include "sim/exec/warp.h"

namespace sim::exec {

// Whether this form of a texture or surface instruction is simulated.
bool is_texture_form(const ir::Instruction& instruction);

class TextureUnit {
 public:
  TextureUnit(Worker& worker, Warp& warp, Split& split)
      : worker_(worker), warp_(warp), split_(split) {}

  void run(const Registers& registers, const Step& step, std::int32_t pc, Mask mask);

 private:
  using Texels = std::vector<TexelAccess::Texel>;

  // The object behind a handle; nullptr, and a fault, when the instruction cannot use it.
  const Texture* object(TextureTable::Handle handle, Mask mask);
  void sample_lanes(const Texture& texture, Mask mask);
  void surface_lanes(const Texture& surface, Mask mask);
  void move(const memory::Image& image, AccessKind kind, const Texels& texels);  // of a surface
  void query_lanes(const Texture& texture, Mask mask);
  std::uint32_t access_bytes(const Texture& surface) const;
  // The place of a lane's access to a surface, x in bytes; false when it makes none. Lanes that may
  // not make theirs are added to the faults.
  bool place(const Texture& surface, int lane, std::array<std::int64_t, 3>& at);
  void refuse(TexelFault::Kind kind, Mask mask, const Texture* texture,
              std::array<std::int64_t, 3> at = {});
  void notify(const Texture& texture, Mask mask, AccessKind kind, const Texels& texels);

  std::uint64_t value(const ir::Operand& operand, int lane) const;
  void set(const ir::Operand& operand, int lane, std::uint64_t value);

  Worker& worker_;
  Warp& warp_;
  Split& split_;
  const Registers* registers_ = nullptr;
  const ir::Instruction* instruction_ = nullptr;
  Mask outside_ = 0, misaligned_ = 0;
  std::array<std::int64_t, 3> first_outside_{}, first_misaligned_{};
};

}  // namespace sim::exec
