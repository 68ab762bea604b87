// A launch: its shape against the limits, then the kernel, then what it counted.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "sim/check/consequences.h"
#include "sim/check/initcheck.h"
#include "sim/check/memcheck.h"
#include "sim/check/racecheck.h"
#include "sim/check/source.h"
#include "sim/check/synccheck.h"
#include "sim/check/texturecheck.h"
#include "sim/check/wording.h"
#include "sim/count/advice.h"
#include "sim/count/counters.h"
#include "sim/count/trace.h"
#include "sim/ir/shared_layout.h"
#include "sim/report/source_file.h"
#include "sim/runtime/context.h"
#include "sim/runtime/host_lines.h"
#include "sim/runtime/mask_rehearsal.h"

namespace sim::runtime {

namespace {

// With CUDA_LAUNCH_BLOCKING=1 each launch waits for its kernel, and tells what went wrong in it.
bool launches_wait() {
  static const char* const wanted = std::getenv("CUDA_LAUNCH_BLOCKING");
  return wanted && std::atoi(wanted) != 0;
}

const char* limit_text(Occupancy::Limit limit) {
  switch (limit) {
    case Occupancy::Limit::blocks: return " (limited by the blocks of a multiprocessor)";
    case Occupancy::Limit::warps: return " (limited by the warps of a multiprocessor)";
    case Occupancy::Limit::registers: return " (limited by registers)";
    case Occupancy::Limit::shared_memory: return " (limited by shared memory)";
  }
  return "";
}

}  // namespace

Occupancy Context::occupancy_of(const Kernel& kernel, std::uint64_t threads,
                                std::size_t dynamic) const {
  if (dynamic > kernel.dynamic_shared_limit()) return {};
  return occupancy(kind_of(kernel), {.threads = threads,
                                     .registers_per_thread = kernel.code.registers,
                                     .shared_bytes = ir::own_shared_bytes(kernel.ir()) +
                                                     static_cast<std::uint32_t>(dynamic),
                                     .carveout = kernel.carveout});
}

void Context::misshaped(const LaunchRequest& r, std::string what, std::string advice) {
  const auto dim = [](exec::Dim3 d) {
    return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) +
           ")";
  };
  check::Finding& f = report(check::Kind::launch_error,
                             "the launch of " + r.kernel->readable + " with grid " + dim(r.grid) +
                                 " and block " + dim(r.block) + " was refused: " + what,
                             std::move(advice) +
                                 " The kernel did not run. A launch returns no code: ask "
                                 "cudaGetLastError() right after it.");
  f.kernel = r.kernel->readable;
}

cudaError_t Context::check_shape(const LaunchRequest& r) {
  const exec::Dim3 g = r.grid, b = r.block;
  if (g.x == 0 || g.y == 0 || g.z == 0 || b.x == 0 || b.y == 0 || b.z == 0) {
    misshaped(r, "a dimension is 0.",
              "An empty input still needs at least one block, or no launch at all.");
    return cudaErrorInvalidValue;
  }
  if (b.count() > threads_per_block || b.x > 1024 || b.y > 1024 || b.z > 64) {
    misshaped(r, "a block has at most 1024 threads, and at most (1024, 1024, 64).",
              "Use more, smaller blocks.");
    return cudaErrorInvalidValue;
  }
  if (g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535) {
    misshaped(r, "a grid has at most (2147483647, 65535, 65535) blocks.",
              "Put the large dimension in x, or let each thread do several elements.");
    return cudaErrorInvalidValue;
  }
  const ir::Function& f = r.kernel->ir();
  const std::uint64_t bounds = std::uint64_t{std::max(f.max_threads[0], 1u)} *
                               std::max(f.max_threads[1], 1u) * std::max(f.max_threads[2], 1u);
  if (f.max_threads[0] != 0 && b.count() > bounds) {
    misshaped(r,
              "the kernel was compiled for at most " + std::to_string(bounds) +
                  " threads per block (__launch_bounds__).",
              "Launch smaller blocks, or raise the bound.");
    return cudaErrorInvalidValue;
  }
  if (r.dynamic_shared > r.kernel->dynamic_shared_limit()) {
    misshaped(r,
              "it asks for " + std::to_string(r.dynamic_shared) +
                  " bytes of dynamic shared memory per block, and " +
                  std::to_string(r.kernel->dynamic_shared_limit()) + " are allowed beside the " +
                  std::to_string(ir::own_shared_bytes(f)) + " of its own arrays.",
              "For more than 48 KB in all, call cudaFuncSetAttribute with "
              "cudaFuncAttributeMaxDynamicSharedMemorySize first; this device allows " +
                  std::to_string(kind_of(*r.kernel).shared_per_block_optin) + ".");
    return cudaErrorInvalidValue;
  }
  const Occupancy o = occupancy_of(*r.kernel, b.count(), r.dynamic_shared);
  if (o.blocks == 0) {
    misshaped(r,
              "its " + std::to_string(r.kernel->code.registers) + " registers for each of " +
                  std::to_string(b.count()) + " threads are more than a multiprocessor has.",
              "Launch smaller blocks, or limit the registers with __launch_bounds__.");
    return cudaErrorLaunchOutOfResources;
  }
  const std::uint64_t room = std::uint64_t{o.blocks} * kind_of(*r.kernel).sms;
  if (r.cooperative && g.count() > room) {
    misshaped(
        r,
        "a cooperative grid must be resident at once, and " + std::to_string(room) + " blocks fit.",
        "Size the grid with cudaOccupancyMaxActiveBlocksPerMultiprocessor.");
    return cudaErrorCooperativeLaunchTooLarge;
  }
  return cudaSuccess;
}

// A kernel runs on the device of its stream.
cudaError_t Context::launch(const void* stub, cudaStream_t handle, LaunchRequest request) {
  Stream* const stream = work.find(handle, per_thread_default_);
  serve_in(stream);
  flush_printf();
  request.kernel = find_kernel(stub);
  if (!request.kernel) {
    report(check::Kind::launch_error, "what was launched is no kernel of this program.",
           "Pass the __global__ function itself.");
    return cudaErrorInvalidResourceHandle;
  }
  if (!stream) {
    report(check::Kind::api_misuse,
           request.kernel->readable + " was launched in a stream that does not exist.",
           "The stream was destroyed, or was never made with cudaStreamCreate.");
    return cudaErrorInvalidResourceHandle;
  }
  return launch(request);
}

cudaError_t Context::prepare(const LaunchRequest& r, PreparedLaunch& prepared) {
  if (should_fail_launch()) return cudaErrorLaunchOutOfResources;
  if (const std::string problem = load_problem(*r.kernel); !problem.empty()) {
    report(check::Kind::launch_error,
           r.kernel->readable + " cannot run on the simulated GPU: " + problem,
           "Nothing was computed. The manual lists what is simulated; a real GPU runs the rest.");
    return cudaErrorNotSupported;
  }
  if (const cudaError_t error = check_shape(r); error != cudaSuccess) return error;

  exec::Launch& launch = prepared.launch;
  launch.issued_at = images.table.now();
  launch.program = r.kernel->module->program();
  launch.function = r.kernel->function;
  launch.grid = r.grid;
  launch.block = r.block;
  launch.dynamic_shared = static_cast<std::uint32_t>(r.dynamic_shared);
  const ir::Function& f = r.kernel->ir();
  if (!f.parameters.empty() && !r.arguments) {
    misshaped(r, "it has parameters, and no list of arguments was given.",
              "Pass the address of each argument, in the order of the parameters.");
    return cudaErrorInvalidValue;
  }
  launch.parameters.resize(f.parameter_bytes);
  for (std::size_t i = 0; i < f.parameters.size(); ++i)
    std::memcpy(launch.parameters.data() + f.parameters[i].offset, r.arguments[i],
                f.parameters[i].bytes);
  prepared.cooperative = r.cooperative;
  prepared.kernel = r.kernel;
  prepared.occupancy = occupancy_of(*r.kernel, r.block.count(), r.dynamic_shared);
  return cudaSuccess;
}

// What the host must leave alone while the kernel may run: all managed memory, and pinned memory
// that it was given a pointer to. (Managed data may be reached through pointers in memory.)
std::vector<HostPages::Guard> Context::guards(const exec::Launch& launch) {
  std::vector<HostPages::Guard> result;
  for (const memory::Allocation* a : memory().seen_by_host()) {
    bool may_touch = a->kind == memory::Kind::managed;
    for (std::size_t at = 0; !may_touch && at + 8 <= launch.parameters.size(); at += 8) {
      memory::Address pointer = 0;
      std::memcpy(&pointer, launch.parameters.data() + at, sizeof pointer);
      may_touch = a->contains(pointer, 1);
    }
    if (may_touch)
      result.push_back(
          {.bytes = {a->begin, a->end()}, .one_view = a->kind == memory::Kind::registered});
  }
  return result;
}

void** PreparedLaunch::arguments() const {
  argument_places.clear();
  for (const ir::Parameter& p : kernel->ir().parameters)
    argument_places.push_back(const_cast<std::byte*>(launch.parameters.data()) + p.offset);
  return argument_places.data();
}

cudaError_t Context::launch(const LaunchRequest& r) {
  PreparedLaunch prepared;
  if (const cudaError_t error = prepare(r, prepared); error != cudaSuccess) return error;
  if (last().error != cudaSuccess && last().launched_since.empty())
    last().launched_since = r.kernel->readable;
  if (const cudaError_t error = refuse_for_capture(); error != cudaSuccess) return error;
  if (!is_writing_down()) ++work.calls.kernel_launches;
  const auto kernel = std::make_shared<const PreparedLaunch>(std::move(prepared));
  const OperationPtr operation =
      submit({.kind = TimelineEntry::Kind::kernel,
              .name = r.kernel->readable,
              .kernel = kernel,
              .guards = guards(kernel->launch),
              .body = [this, kernel](Operation& o) { execute(*kernel, o); }});
  if (!launches_wait() || is_writing_down()) return cudaSuccess;
  work.wait(operation);
  return synchronise();
}

// How long it took on the virtual clock, and which share of the device it filled.
void Context::take_time(const KernelRecord& record, const Device& device, Operation& operation) {
  const auto counted = [&](const char* name) {
    const auto it = record.counters.find(name);
    return it == record.counters.end() ? std::uint64_t{0} : static_cast<std::uint64_t>(it->second);
  };
  const auto product = [](const auto& size) { return std::uint64_t{size[0]} * size[1] * size[2]; };
  const std::uint64_t blocks = product(record.grid);
  operation.duration_ns =
      count::kernel_ns({.instructions = counted("smsp__inst_executed.sum"),
                        .warps = blocks * ((product(record.block) + 31) / 32),
                        .blocks = blocks,
                        .sectors = counted("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") +
                                   counted("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")},
                       device.rates());
  const double room = record.theoretical_occupancy * device.threads_per_sm * device.sms;
  operation.share = static_cast<double>(blocks * product(record.block)) / std::max(room, 1.0);
}

memory::Address Context::cleared_grid_barrier(DeviceState& device) {
  constexpr std::uint64_t bytes = 8;  // cooperative_groups: grid_workspace
  if (!device.grid_barrier)
    device.grid_barrier = memory().allocate(bytes, memory::Kind::global_variable,
                                            "the barrier of the grid", {}, device.ordinal);
  std::memset(device.grid_barrier->data, 0, bytes);
  return device.grid_barrier->begin;
}

namespace {

// Where the kernel's limit on registers is written, if it has one, else where the kernel is.
check::SourceLine line_of_limit(const ir::Function& f, const check::Source& source) {
  check::SourceLine line = source.line(f.first_location);
  if (f.max_threads[0] == 0) return line;
  constexpr int lines_above = 5;
  report::SourceFiles files;
  for (int number = line.line; number >= line.line - lines_above; --number)
    if (const std::string* text = files.line(line.file, number);
        text && text->find("__launch_bounds__") != std::string::npos)
      return {line.file, number};
  return line;
}

bool same_mistake(const check::Finding& a, const check::Finding& b) {
  const bool same_array = a.allocation.has_value() == b.allocation.has_value() &&
                          (!a.allocation || (a.allocation->name == b.allocation->name &&
                                             a.allocation->kind == b.allocation->kind &&
                                             a.allocation->made == b.allocation->made));
  return a.kind == b.kind && a.kernel == b.kernel && a.where.line != 0 && a.where == b.where &&
         same_array &&
         std::ranges::equal(a.sides, b.sides, {}, &check::Side::where, &check::Side::where);
}

}  // namespace

// The same advice for launch after launch is one.
void Context::keep_advice(check::Finding&& given) {
  for (std::size_t i = std::min(marked_findings, findings.size()); i < findings.size(); ++i)
    if (check::Finding& known = findings[i];
        known.kind == given.kind && known.kernel == given.kernel && known.where == given.where &&
        known.message.substr(0, 20) == given.message.substr(0, 20)) {
      ++known.occurrences;
      return;
    }
  findings.push_back(std::move(given));
}

// A loop that launches makes a kernel's mistake again and again: it is told once.
void Context::keep_mistake(check::Finding&& found) {
  for (std::size_t i = std::min(marked_findings, findings.size()); i < findings.size(); ++i)
    if (check::Finding& known = findings[i];
        known.launch != found.launch && same_mistake(known, found)) {
      known.occurrences += found.occurrences;
      ++known.launches;
      return;
    }
  findings.push_back(std::move(found));
}

// The host knows a __device__ variable by a stand-in of the same name, which holds nothing.
const LoadedModule::Variable* Context::variable_of_stand_in(memory::Address address) const {
  for (const auto& code : codes_)
    for (const auto& module : code->on)
      for (const LoadedModule::Variable& v : module->variables) {
        const auto begin = reinterpret_cast<memory::Address>(v.host);
        if (!v.managed && v.allocation && address >= begin && address < begin + v.allocation->bytes)
          return &v;
      }
  return nullptr;
}

void Context::name_stand_in(check::Finding& finding) const {
  if (finding.kind != check::Kind::out_of_bounds || !finding.address) return;
  const LoadedModule::Variable* const v = variable_of_stand_in(*finding.address);
  if (!v) return;
  const check::AllocationNote note = check::describe(*v->allocation, {});
  finding.message = finding.message.substr(0, finding.message.find(" at 0x")) +
                    " of the host's stand-in for the " + note.kind + " `" +
                    check::declared_name(v->name) + "`.";
  finding.advice =
      "In host code the name is not the variable's address on the device. Use the variable by its "
      "name in the kernel, or pass the pointer that cudaGetSymbolAddress gives.";
}

void Context::execute(const PreparedLaunch& prepared, Operation& operation) {
  const Kernel& kernel = *prepared.kernel;
  DeviceState& on = this->on(kernel.module->device());
  const Device& device = *on.kind;
  const ir::Function& f = kernel.ir();
  const Occupancy& o = prepared.occupancy;
  exec::Launch launch = prepared.launch;
  launch.serial = operation.launch;
  launch.stream = operation.stream;
  if (prepared.cooperative) launch.grid_barrier = cleared_grid_barrier(on);

  exec::Machine machine;
  machine.memory = &memory();
  machine.device = on.ordinal;
  machine.peers = operation.peers;
  machine.textures = &images.table;
  machine.sms = device.sms;
  machine.resident_blocks_per_sm = o.blocks;
  machine.limited_by = limit_text(o.limit);
  machine.stack_bytes = static_cast<std::uint32_t>(on.limits.stack);
  machine.heap_bytes = on.limits.heap;
  machine.print = [&on](std::string_view text) { print(on, text); };
  machine.complain = [](std::string_view text) {
    std::fprintf(stderr, "%.*s", static_cast<int>(text.size()), text.data());
  };

  count::Counters counters;
  check::Memcheck memcheck(source_line);
  check::Synccheck synccheck;
  check::Racecheck racecheck(source_line);
  check::Texturecheck texturecheck(source_line);
  check::Initcheck initcheck(source_line);
  count::Trace trace;
  std::vector<exec::Observer*> observers{&counters};
  if (checks_)
    observers.insert(observers.end(),
                     {&memcheck, &synccheck, &racecheck, &initcheck, &texturecheck});
  if (traces_) observers.push_back(&trace);
  // Nodes of a graph run side by side even where there is but the default stream, and memory may be
  // given back while they run.
  const bool has_company = work.has_streams() || operation.in_graph || has_stream_ordered();
  check::Touched touched(has_company);
  if (checks_ && (has_company || !operation.guards.empty())) observers.push_back(&touched);
  std::optional<MaskRehearsal> rehearsal;
  if (checks_ && exec::wants_rehearsal(*launch.program, launch.function))
    rehearsal.emplace(launch, machine);
  const exec::Status status = exec::execute(launch, machine, observers, options_);

  KernelRecord record;
  record.name = kernel.readable;
  record.launch = launch.serial;
  record.device = on.ordinal;
  record.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  record.block = {launch.block.x, launch.block.y, launch.block.z};
  record.registers = kernel.code.registers;
  record.static_shared = ir::own_shared_bytes(f);
  record.dynamic_shared = launch.dynamic_shared;
  record.local_bytes = kernel.code.stack_bytes;
  if (f.local_bytes == 0) {  // else an array's accesses and spills cannot be told apart
    record.spill_stores = kernel.code.local_stores;
    record.spill_loads = kernel.code.local_loads;
  }
  record.theoretical_occupancy = o.fraction;
  counters.fill(record);
  trace.fill(record);
  take_time(record, device, operation);
  operation.touched = touched.footprint();
  if (checks_) {
    const check::Source source(kernel.module->ir());
    const count::Residency residency{.limit = o.limit,
                                     .blocks = o.blocks,
                                     .most_blocks = device.blocks_per_sm,
                                     .most_warps = device.warps_per_sm(),
                                     .registers = registers_per_sm,
                                     .shared_bytes = device.shared_per_sm,
                                     .multiprocessors = device.sms};
    for (check::Finding& given :
         count::advice(record, residency, [&] { return line_of_limit(f, source); }))
      keep_advice(std::move(given));
  }
  kernel_records.push_back(std::move(record));
  const auto keep = [&](std::vector<check::Finding> found) {
    for (check::Finding& finding : found) {
      finding.kernel = kernel.readable;
      keep_mistake(std::move(finding));
    }
  };
  check::Found found{memcheck.findings(), synccheck.findings(), racecheck.findings(),
                     initcheck.findings()};
  for (check::Finding& finding : found.refused) name_stand_in(finding);
  const std::vector<check::Finding> in_launch = found.all();
  check::leave_out_consequences(found, initcheck.led_astray(), racecheck.steers());
  keep(std::move(found.refused));
  keep(std::move(found.unsynced));
  if (rehearsal) keep(rehearsal->findings(in_launch));
  keep(std::move(found.races));
  keep(std::move(found.unwritten));
  keep(texturecheck.findings());

  using exec::Status;
  cudaError_t error = cudaSuccess;
  switch (status) {
    case Status::completed: break;
    case Status::illegal_address: error = cudaErrorIllegalAddress; break;
    case Status::misaligned_address: error = cudaErrorMisalignedAddress; break;
    case Status::trapped: error = cudaErrorLaunchFailure; break;
    case Status::assertion: error = cudaErrorAssert; break;
    case Status::stopped: error = cudaErrorLaunchTimeout; break;
    case Status::stack_overflow: error = cudaErrorHardwareStackError; break;
    case Status::unsupported: error = cudaErrorNotSupported; break;
  }
  if (error != cudaSuccess) fail(error);
}

}  // namespace sim::runtime
