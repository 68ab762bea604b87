// Which handler computes an instruction, and what is not simulated.
#include "sim/exec/act.h"
#include "sim/exec/atomics.h"
#include "sim/exec/handlers.h"

namespace sim::exec {

Handler handler_for(const ir::Instruction& i) {
  for (const auto family : {integer_handler, floating_handler, bits_handler, move_handler,
                            compare_handler, conversion_handler, half_handler,
                            approximation_handler, exchange_handler})
    if (const Handler h = family(i)) return h;
  return nullptr;
}

std::string missing(const ir::Instruction& i) {
  using ptx::Opcode;
  switch (i.opcode) {
    case Opcode::bra: case Opcode::brx: case Opcode::call: case Opcode::ret: case Opcode::exit:
    case Opcode::bar: case Opcode::bar_arrive: case Opcode::bar_red: case Opcode::bar_warp_sync:
    case Opcode::membar: case Opcode::fence: case Opcode::ld: case Opcode::ldu: case Opcode::st:
    case Opcode::prefetch: case Opcode::prefetchu: case Opcode::discard:
    case Opcode::applypriority: case Opcode::nanosleep: case Opcode::trap: case Opcode::brkpt:
    case Opcode::pmevent:
      return {};
    case Opcode::atom:
    case Opcode::red:
      if (atomic_for(i)) return {};
      break;
    default:
      if (handler_for(i)) return {};
      break;
  }
  std::string name(ptx::name_of(i.opcode));
  if (i.type != ptx::Type::none) name += "." + std::string(ptx::name_of(i.type));
  if (i.source_type != ptx::Type::none) name += "." + std::string(ptx::name_of(i.source_type));
  return name;
}

}  // namespace sim::exec
