#include "sim/exec/texture.h"

namespace sim::exec {

TextureTable::Handle TextureTable::add(Texture texture) {
  textures_.push_back(std::make_unique<Texture>(std::move(texture)));
  return first + textures_.size() - 1;
}

void TextureTable::destroy(Handle handle, memory::CallSite site) {
  if (!alive(handle)) return;
  Texture& texture = *textures_[handle - first];
  texture.destroyed_at = ++now_;
  texture.destroyed = site;
}

const Texture* TextureTable::find(Handle handle) const {
  return handle - first < textures_.size() ? textures_[handle - first].get() : nullptr;
}

bool TextureTable::alive(Handle handle) const {
  const Texture* t = find(handle);
  return t && t->destroyed_at > now_;
}

}  // namespace sim::exec
