// From decoded instructions to steps: handlers chosen, constants laid out, special registers
// numbered, and the code cut into stretches that a warp can run without looking up.
#include <algorithm>
#include <cstring>

#include "sim/exec/act.h"
#include "sim/exec/grid.h"
#include "sim/exec/matrix_unit.h"
#include "sim/exec/spaces.h"

namespace sim::exec {

namespace {

Act act_of(const ir::Instruction& i) {
  using ptx::Opcode;
  switch (i.opcode) {
    case Opcode::bra: return Act::branch;
    case Opcode::brx: return Act::jump_table;
    case Opcode::call: return Act::call;
    case Opcode::ret: return Act::ret;
    case Opcode::exit: return Act::exit;
    case Opcode::bar:
    case Opcode::bar_arrive:
    case Opcode::bar_red: return Act::barrier;
    case Opcode::bar_warp_sync: return Act::warp_barrier;
    case Opcode::activemask: return Act::active_mask;
    case Opcode::isspacep: return Act::space;
    case Opcode::ld:
    case Opcode::ldu: return Act::load;
    case Opcode::st: return Act::store;
    case Opcode::atom:
    case Opcode::red: return Act::atomic;
    case Opcode::cp_async:
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
    case Opcode::mbarrier_try_wait: return Act::asynchronous;
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::txq:
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured:
    case Opcode::suq: return Act::texture;
    case Opcode::membar:
    case Opcode::fence: return Act::fence;
    case Opcode::trap:
    case Opcode::brkpt: return Act::trap;
    case Opcode::nanosleep: return Act::sleep;
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::pmevent:
    case Opcode::discard:
    case Opcode::applypriority: return Act::nothing;
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::elect: return i.modifiers.sync ? Act::exchange : Act::plain;
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
    case Opcode::mma:
    case Opcode::mma_sp:
    case Opcode::wmma_load:
    case Opcode::wmma_store:
    case Opcode::wmma_mma: return Act::exchange;
    case Opcode::alloca:
    case Opcode::stacksave:
    case Opcode::stackrestore: return Act::stack;
    case Opcode::griddepcontrol: return Act::nothing;
    default: break;
  }
  for (const ir::Operand& o : i.sources)
    if (o.bank == ir::Bank::special && is_clock(o.offset)) return Act::clock;
  return Act::plain;
}

}  // namespace

Program::Program(const ir::Module& module, std::vector<memory::Address> variables)
    : module_(module), variables_(std::move(variables)), codes_(module.functions.size()) {
  special_slot_.fill(-1);
}

Program::~Program() = default;

std::uint32_t Program::slot_of(ir::Special special) {
  std::int32_t& slot = special_slot_[static_cast<std::size_t>(special)];
  if (slot < 0) {
    slot = static_cast<std::int32_t>(specials_.size());
    specials_.push_back(special);
  }
  return static_cast<std::uint32_t>(slot) * special_bytes;
}

const Program::Code& Program::code(int function) {
  std::unique_ptr<Code>& slot = codes_[static_cast<std::size_t>(function)];
  if (slot) return *slot;
  slot = std::make_unique<Code>();
  Code& code = *slot;
  const ir::Function& f = module_.functions[static_cast<std::size_t>(function)];
  code.function = &f;

  // The constant bank: every lane holds the value, so that a constant is an operand like any other.
  code.constants.resize(f.constant_bytes);
  for (const ir::Constant& c : f.constants) {
    std::uint64_t value = c.bits;
    if (c.variable >= 0) value += variables_[static_cast<std::size_t>(c.variable)];
    if (c.function >= 0) value += function_window + static_cast<std::uint64_t>(c.function);
    if (c.local) code.has_local_constants = true;
    if (c.bytes == 0) {
      const Mask all = value ? full_mask : 0;
      std::memcpy(code.constants.data() + c.offset, &all, sizeof all);
    }
    for (std::size_t l = 0; c.bytes != 0 && l < lanes; ++l)
      std::memcpy(code.constants.data() + c.offset + l * c.bytes, &value, c.bytes);
  }

  const std::size_t n = f.code.size();
  code.steps.resize(n);
  code.acts.resize(n);
  code.site.assign(n, -1);
  const auto place = [&](const ir::Operand& o) {
    ir::Operand placed = o;
    if (o.bank == ir::Bank::special) placed.offset = slot_of(static_cast<ir::Special>(o.offset));
    return placed;
  };
  for (std::size_t pc = 0; pc < n; ++pc) {
    const ir::Instruction& i = f.code[pc];
    Step& step = code.steps[pc];
    step.instruction = &i;
    for (std::size_t k = 0; k < std::min(i.results.size(), step.result.size()); ++k)
      step.result[k] = place(i.results[k]);
    for (std::size_t k = 0; k < std::min(i.sources.size(), step.source.size()); ++k)
      step.source[k] = place(i.sources[k]);
    step.run = handler_for(i);
    code.acts[pc] = act_of(i);
    if (touches_memory(code.acts[pc])) {
      code.site[pc] = sites_++;
      if (i.opcode == ptx::Opcode::cp_async) ++sites_;  // it loads and stores
    } else if (const std::int32_t accesses = MatrixUnit::accesses_of(i); accesses != 0) {
      code.site[pc] = sites_;
      sites_ += accesses;
    }
    if (i.opcode == ptx::Opcode::call && i.callee < 0) calls_indirectly_ = true;
  }

  // Stretches end before a step that may change the mask or the pc, and at block boundaries, where
  // lanes may be waiting to reconverge.
  code.straight_end.resize(n);
  std::vector<bool> starts(n + 1, false);
  for (const std::int32_t b : f.block_starts) starts[static_cast<std::size_t>(b)] = true;
  for (std::size_t pc = n; pc-- > 0;) {
    const auto at = static_cast<std::int32_t>(pc);
    if (!is_straight(code.acts[pc]))
      code.straight_end[pc] = at;
    else if (pc + 1 == n || starts[pc + 1])
      code.straight_end[pc] = at + 1;
    else
      code.straight_end[pc] = code.straight_end[pc + 1];
  }

  // A branch back in a loop that polls memory is where a waiting lane gives way to the others.
  code.polls.assign(n, false);
  for (const ir::Loop& loop : f.loops)
    if (loop.polls)
      for (std::int32_t pc = loop.first; pc <= loop.last; ++pc)
        if (f.code[static_cast<std::size_t>(pc)].opcode == ptx::Opcode::bra &&
            f.code[static_cast<std::size_t>(pc)].target <= pc)
          code.polls[static_cast<std::size_t>(pc)] = true;
  return code;
}

void Program::prepare(int kernel) {
  std::vector<int> work{kernel};
  std::vector<bool> seen(module_.functions.size(), false);
  while (!work.empty()) {
    const int f = work.back();
    work.pop_back();
    if (seen[static_cast<std::size_t>(f)]) continue;
    seen[static_cast<std::size_t>(f)] = true;
    if (module_.functions[static_cast<std::size_t>(f)].is_external) continue;
    code(f);
    for (const ir::Instruction& i : module_.functions[static_cast<std::size_t>(f)].code)
      if (i.opcode == ptx::Opcode::call && i.callee >= 0) work.push_back(i.callee);
    if (calls_indirectly_)
      for (std::size_t g = 0; g < module_.functions.size(); ++g)
        if (!module_.functions[g].is_entry) work.push_back(static_cast<int>(g));
  }
}

std::vector<ir::Function::Refusal> Program::refusals(int kernel) const {
  std::vector<ir::Function::Refusal> found;
  std::vector<int> work{kernel};
  std::vector<bool> seen(module_.functions.size(), false);
  while (!work.empty()) {
    const auto f = static_cast<std::size_t>(work.back());
    work.pop_back();
    if (seen[f]) continue;
    seen[f] = true;
    const ir::Function& function = module_.functions[f];
    found.insert(found.end(), function.refusals.begin(), function.refusals.end());
    bool indirectly = false;
    for (const ir::Instruction& i : function.code) {
      if (i.opcode != ptx::Opcode::call) continue;
      if (i.callee >= 0)
        work.push_back(i.callee);
      else
        indirectly = true;
    }
    if (indirectly) {
      // A pointer may lead to every function whose address somebody takes.
      for (const ir::Function& any : module_.functions)
        for (const ir::Constant& c : any.constants)
          if (c.function >= 0) work.push_back(c.function);
      for (const ir::Variable& v : module_.variables)
        for (const ir::Variable::Relocation& r : v.relocations)
          if (r.function >= 0) work.push_back(r.function);
    }
  }
  return found;
}

}  // namespace sim::exec
