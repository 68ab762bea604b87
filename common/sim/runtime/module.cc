#include "sim/runtime/module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include <cxxabi.h>
#include "sim/exec/step.h"
#include "sim/ir/load.h"
#include "sim/ir/shared_layout.h"
#include "sim/runtime/context.h"
#include "sim/runtime/fatbin.h"

namespace sim::runtime {

std::string demangle(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status != 0 || !text) return name;
  std::string readable(text);
  std::free(text);
  // The parameters are what the last parenthesis closes: others may stand before them, as in
  // "void (anonymous namespace)::k<int (*)(int)>(float*)". A return type ends at a space outside
  // all.
  std::size_t end = readable.size(), begin = 0;
  int depth = 0;
  for (std::size_t i = readable.ends_with(')') ? readable.size() : 0; i-- > 0;) {
    const char c = readable[i];
    if (c == ')' || c == '>') ++depth;
    if (c == '(' || c == '<') --depth;
    if (depth == 0 && c == '(' && end == readable.size()) end = i;
    if (depth == 0 && c == ' ') {
      begin = i + 1;
      break;
    }
  }
  return readable.substr(begin, end - begin);
}

const ir::Function& Kernel::ir() const {
  return module->ir().functions[static_cast<std::size_t>(function)];
}

std::uint32_t Kernel::dynamic_shared_limit() const {
  if (max_dynamic_shared) return *max_dynamic_shared;
  const std::uint32_t fixed = ir::own_shared_bytes(ir());
  return fixed < shared_per_block ? shared_per_block - fixed : 0;
}

namespace {

// What suits the device best: the newest that is not newer than the device. When all are newer the
// oldest will do: the simulated device runs any PTX it knows, and a T4 is there for its limits.
template <class Entry>
const Entry* best(const std::vector<Entry>& entries, const Device& device) {
  const auto arch = static_cast<std::uint32_t>(device.major * 10 + device.minor);
  const Entry* chosen = nullptr;
  for (const Entry& e : entries) {
    const bool fits = e.arch <= arch, chosen_fits = chosen && chosen->arch <= arch;
    if (!chosen || (fits && !chosen_fits) ||
        (fits == chosen_fits && (e.arch > chosen->arch) == fits))
      chosen = &e;
  }
  return chosen;
}

}  // namespace

const std::string& LoadedModule::load(const Device& kind, memory::DeviceMemory& memory) {
  if (loaded_) return problem_;
  loaded_ = true;
  problem_ = read(kind);
  if (problem_.empty()) problem_ = place_variables(memory);
  return problem_;
}

std::string LoadedModule::read(const Device& kind) {
  FatBinary fat;
  if (wrapper_)
    fat = read_fat_binary_wrapper(wrapper_);
  else if (is_fat_binary(image_))
    fat = read_fat_binary(reinterpret_cast<const std::byte*>(image_.data()), image_.size());
  else
    fat.ptx.push_back({0, image_});
  if (!fat.problem.empty()) return fat.problem;
  const FatBinary::Ptx* ptx = best(fat.ptx, kind);
  if (!ptx)
    return "this program holds machine code alone, and the simulated GPU runs PTX. Add "
           "-gencode arch=compute_80,code=[compute_80,sm_80] to nvcc's options.";
  ir_ = std::make_unique<ir::Module>();
  if (std::string problem = ir::load(ptx->text, exec::missing, *ir_); !problem.empty())
    return problem;

  if (const FatBinary::Cubin* cubin = best(fat.cubins, kind)) code_ = read_cubin(cubin->elf);
  for (const auto& kernel : kernels) {
    kernel->function = ir_->find_function(kernel->name);
    if (const auto it = code_.find(kernel->name); it != code_.end()) kernel->code = it->second;
  }
  return {};
}

const memory::Allocation* LoadedModule::place_managed(const ir::Variable& v,
                                                      memory::DeviceMemory& memory) {
  const memory::Allocation*& placed = managed_[v.name];
  if (placed) return placed;
  const HostPages::Views views = Context::get().work.pages.map(v.bytes);
  if (views.host)
    placed = memory.adopt(views.host, v.bytes, memory::Kind::managed, {}, v.name, views.simulator,
                          device_);
  return placed;
}

std::string LoadedModule::place_variables(memory::DeviceMemory& memory) {
  std::vector<memory::Address> addresses;
  for (const ir::Variable& v : ir_->variables) {
    const memory::Allocation* const a =
        v.is_managed
            ? place_managed(v, memory)
            : memory.allocate(v.bytes,
                              v.space == ptx::Space::constant ? memory::Kind::constant_variable
                                                              : memory::Kind::global_variable,
                              v.name, {}, device_);
    if (!a) return "the variables of this program do not fit into the device's memory.";
    addresses.push_back(a->begin);
    placed_.push_back(a);
    for (Variable& registered : variables) {
      if (registered.name != v.name) continue;
      registered.allocation = a;
      // The host reaches a managed variable through this pointer.
      if (v.is_managed) std::memcpy(const_cast<void*>(registered.host), &a->begin, sizeof a->begin);
    }
  }
  initialise_variables();
  program_ = std::make_unique<exec::Program>(*ir_, std::move(addresses));
  return {};
}

void LoadedModule::initialise_variables() {
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const ir::Variable& v = ir_->variables[i];
    if (placed_[i]->device != device_) continue;  // managed, and placed for another device
    std::byte* data = placed_[i]->data;
    std::memset(data, 0, v.bytes);
    std::copy(v.initial.begin(), v.initial.end(), data);
    for (const ir::Variable::Relocation& r : v.relocations) {
      std::uint64_t value = static_cast<std::uint64_t>(r.addend);
      if (r.variable >= 0) value += placed_[static_cast<std::size_t>(r.variable)]->begin;
      if (r.function >= 0) value += exec::function_window + static_cast<std::uint64_t>(r.function);
      std::memcpy(data + r.offset, &value, sizeof value);
    }
  }
}

void LoadedModule::reset() {
  initialise_variables();
  for (const auto& kernel : kernels) {
    kernel->max_dynamic_shared.reset();
    kernel->carveout = -1;
  }
}

void LoadedModule::name_kernels() {
  if (!kernels.empty()) return;
  for (std::size_t i = 0; i < ir_->functions.size(); ++i) {
    const ir::Function& f = ir_->functions[i];
    if (!f.is_entry) continue;
    auto kernel = std::make_unique<Kernel>();
    kernel->module = this;
    kernel->name = f.name;
    kernel->readable = demangle(f.name);
    kernel->function = static_cast<int>(i);
    if (const auto it = code_.find(f.name); it != code_.end()) kernel->code = it->second;
    kernels.push_back(std::move(kernel));
  }
}

void LoadedModule::unload(memory::DeviceMemory& memory) {
  for (const memory::Allocation* a : placed_) memory.release(a->begin);
  placed_.clear();
}

}  // namespace sim::runtime
