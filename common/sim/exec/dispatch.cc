// Which handler computes an instruction, and what is not simulated.
#include "sim/exec/act.h"
#include "sim/exec/atomics.h"
#include "sim/exec/handlers.h"
#include "sim/exec/matrix_unit.h"
#include "sim/exec/texture_unit.h"

namespace sim::exec {

Handler handler_for(const ir::Instruction& i) {
  // Forms that most families do not look for: of small formats, and those of the newest GPUs.
  if (const Handler h = packed_handler(i)) return h;
  const bool extreme = i.opcode == ptx::Opcode::min || i.opcode == ptx::Opcode::max;
  if (extreme && (i.modifiers.relu || i.sources.size() > 2)) return nullptr;
  const bool small = i.type == ptx::Type::f32 || i.type == ptx::Type::f16 ||
                     i.type == ptx::Type::f16x2 || i.type == ptx::Type::bf16 ||
                     i.type == ptx::Type::bf16x2;
  if (i.modifiers.absolute && !(small && i.modifiers.xor_sign)) return nullptr;
  for (const auto family : {integer_handler, carry_handler, floating_handler, bits_handler,
                            move_handler, compare_handler, conversion_handler, half_handler,
                            approximation_handler, exchange_handler, matrix_handler, video_handler})
    if (const Handler h = family(i)) return h;
  return nullptr;
}

namespace {

// The instruction as PTX writes it, as far as its meaning goes.
std::string spelled(const ir::Instruction& i) {
  std::string name(ptx::name_of(i.opcode));
  const auto add = [&](std::string_view suffix) {
    if (!suffix.empty()) name.append(1, '.').append(suffix);
  };
  const ir::Modifiers& m = i.modifiers;
  if (m.sync) add("sync");
  add(ptx::suffix_of(m.compare));
  add(ptx::suffix_of(m.boolean));
  add(ptx::suffix_of(m.part));
  add(ptx::suffix_of(m.atomic));
  add(ptx::suffix_of(m.shuffle));
  add(ptx::suffix_of(m.vote));
  add(ptx::suffix_of(m.rounding));
  if (m.approximate) add("approx");
  if (m.ftz) add("ftz");
  if (m.saturate) add("sat");
  if (m.relu) add("relu");
  if (m.carry_out) add("cc");
  if (i.type != ptx::Type::none) add(ptx::name_of(i.type));
  if (i.source_type != ptx::Type::none) add(ptx::name_of(i.source_type));
  return name;
}

}  // namespace

std::string missing(const ir::Instruction& i) {
  using ptx::Opcode;
  switch (i.opcode) {
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::bar:
    case Opcode::bar_arrive:
    case Opcode::bar_red:
    case Opcode::bar_warp_sync:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::discard:
    case Opcode::applypriority:
    case Opcode::nanosleep:
    case Opcode::trap:
    case Opcode::brkpt:
    case Opcode::pmevent:
    case Opcode::cp_async_commit_group:
    case Opcode::cp_async_wait_group:
    case Opcode::cp_async_wait_all:
    case Opcode::cp_async_mbarrier_arrive:
    case Opcode::mbarrier_init:
    case Opcode::mbarrier_inval:
    case Opcode::mbarrier_expect_tx:
    case Opcode::mbarrier_complete_tx:
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_drop:
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_try_wait: return {};
    case Opcode::griddepcontrol:
    case Opcode::alloca:
    case Opcode::stacksave:
    case Opcode::stackrestore: return {};
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::wmma_load:
    case Opcode::wmma_store:
      if (MatrixUnit::can_run(i)) return {};
      break;
    case Opcode::cp_async:
      if (i.space == ptx::Space::global) return {};
      break;
    case Opcode::atom:
    case Opcode::red:
      if (atomic_for(i) || is_wide_exchange(i)) return {};
      break;
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::txq:
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured:
    case Opcode::suq:
      if (is_texture_form(i)) return {};
      break;
    default:
      if (handler_for(i)) return {};
      break;
  }
  return spelled(i);
}

}  // namespace sim::exec
