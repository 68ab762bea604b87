#include "sim/check/source.h"

#include <algorithm>

namespace sim::check {

bool is_toolkit_file(std::string_view path) {
  // The toolkit from NVIDIA's installer, and from PyPI; its libraries; the compiler's own headers.
  constexpr std::string_view marks[] = {
      "/usr/include/", "/usr/lib/", "/usr/local/cuda", "/targets/x86_64-linux/include/",
      "/nvidia/cu",    "/crt/",     "/nv/target",      "/cooperative_groups/",
      "/cuda/std/",    "/cub/",     "/thrust/",        "/cccl/",
      "<built-in>",
  };
  return std::ranges::any_of(
      marks, [&](std::string_view mark) { return path.find(mark) != std::string_view::npos; });
}

Source::Source(const ir::Module& module) : module_(module) {
  for (const std::string& file : module.files) toolkit_.push_back(is_toolkit_file(file));
}

SourceLine Source::at(const ir::Location& l) const {
  if (l.file < 0) return {};
  return {module_.files[static_cast<std::size_t>(l.file)], l.line};
}

std::int32_t Source::users(std::int32_t location) const {
  for (std::int32_t i = location; i >= 0;) {
    const ir::Location& l = module_.locations[static_cast<std::size_t>(i)];
    if (l.file >= 0 && !toolkit_[static_cast<std::size_t>(l.file)]) return i;
    i = l.inlined_at;
  }
  return location;
}

SourceLine Source::line(std::int32_t location) const {
  const std::int32_t i = users(location);
  return i < 0 ? SourceLine{} : at(module_.locations[static_cast<std::size_t>(i)]);
}

std::vector<SourceLine> Source::chain(std::int32_t location) const {
  std::vector<SourceLine> lines;
  for (std::int32_t i = users(location); i >= 0;) {
    const ir::Location& l = module_.locations[static_cast<std::size_t>(i)];
    if (l.file >= 0) lines.push_back(at(l));
    i = l.inlined_at;
  }
  return lines;
}

}  // namespace sim::check
