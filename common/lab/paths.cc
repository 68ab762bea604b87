#include "lab/paths.h"

#include <cstdlib>
#include <filesystem>

namespace lab {

// The compiler names a file as the build called it, often through "..": the tree's root (from the
// `lab` command) makes it short again. Without the root, leading ".." go.
std::string shown_path(const std::string& path) {
  namespace fs = std::filesystem;
  if (const char* root = std::getenv("WARP_WEFT_ROOT"); root && fs::path(path).is_absolute()) {
    fs::path relative = fs::path(path).lexically_normal().lexically_relative(root);
    if (!relative.empty() && *relative.begin() != "..") return relative.string();
  }
  fs::path shown;
  for (const fs::path& part : fs::path(path).lexically_normal())
    if (part != "..") shown /= part;
  return shown.string();
}

}  // namespace lab
