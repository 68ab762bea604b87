// From instructions to the user's source lines.
//
// An instruction may belong to a function of the toolkit's headers (cooperative groups, half
// arithmetic, atomics) that was inlined into the user's code. Nobody can act on a line of those, so
// counters and findings name the innermost line that is the user's.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/check/finding.h"
#include "sim/ir/program.h"

namespace sim::check {

// Whether a file belongs to the CUDA toolkit or to the system.
bool is_toolkit_file(std::string_view path);

class Source {
 public:
  explicit Source(const ir::Module& module);

  // The innermost line of the user's code; the innermost of all when none is; empty without
  // -lineinfo.
  SourceLine line(std::int32_t location) const;
  // That line, then the lines it is inlined into, innermost first.
  std::vector<SourceLine> chain(std::int32_t location) const;

 private:
  std::int32_t users(std::int32_t location) const;
  SourceLine at(const ir::Location& location) const;

  const ir::Module& module_;
  std::vector<bool> toolkit_;  // of each file
};

}  // namespace sim::check
