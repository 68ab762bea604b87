// PTX text to ptx::Module: everything nvcc writes, and what people write in inline assembly.
#pragma once

#include <string_view>

#include "sim/ptx/error.h"
#include "sim/ptx/module.h"

namespace sim::ptx {

// `text` must outlive the module. Throws Error, which says where and shows the line.
Module parse(std::string_view text);

}  // namespace sim::ptx
