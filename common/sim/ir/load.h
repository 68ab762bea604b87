// From PTX text to a module that the executor can run.
#pragma once

#include <string>
#include <string_view>

#include "sim/ir/program.h"

namespace sim::ir {

// What is missing to run an instruction: empty when nothing is. The executor supplies it.
using Support = std::string (*)(const Instruction&);

// Parses and decodes `ptx`. Instructions that cannot be run become refusals of their functions.
// Gives back what is wrong with the text itself; empty when it is sound. Addresses in `module`
// point into itself: do not copy it afterwards.
std::string load(std::string_view ptx, Support support, Module& module);

}  // namespace sim::ir
