// A variable that only kernels name may lie elsewhere in each of them. One that a device function
// names has the same place in every kernel that can reach the function: those are placed first,
// each at the lowest offset that is free in all kernels that reach it. Dynamic shared memory
// (extern .shared) starts behind the static variables; when a device function names it, it starts
// at the same offset in all kernels that reach that function.
//
// The memory that the system keeps for cooperative groups of several warps, whose place a special
// register tells, counts as one more variable.
#include "sim/ir/shared_layout.h"

#include <algorithm>
#include <unordered_set>

namespace sim::ir {

namespace {

struct Item {
  const ptx::Variable* variable;
  bool is_dynamic = false;
  bool is_pinned = false;  // named by a device function
  std::uint32_t offset = 0;
  std::vector<std::size_t> kernels;  // that reach it

  std::uint32_t bytes() const { return static_cast<std::uint32_t>(variable->bytes()); }
  std::uint32_t alignment() const { return std::max(variable->natural_alignment(), 1u); }
};

class Layout {
 public:
  Layout(ModuleNames& names, const std::vector<const ptx::Function*>& bodies)
      : names_(names), bodies_(bodies), uses_(bodies.size()), calls_(bodies.size()) {}

  std::vector<SharedOffsets> lay_out() {
    collect();
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      if (bodies_[k]->is_entry) reach(k);
    place_pinned();
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      if (bodies_[k]->is_entry) place_in_kernel(k);
    place_dynamic();

    std::vector<SharedOffsets> offsets(bodies_.size());
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      for (const std::size_t item : uses_[k])
        offsets[k][items_[item].variable->name] =
            bodies_[k]->is_entry ? kernel_offset(k, item) : items_[item].offset;
    return offsets;
  }

 private:
  using Names = std::unordered_map<std::string_view, std::size_t>;

  std::size_t add(const ptx::Variable& v) {
    Item item;
    item.variable = &v;
    item.is_dynamic = v.is_external || (v.is_array && v.elements == 0);
    if (v.bytes() > (1u << 30))
      throw ptx::Error(names_.source.text, v.at, {}, std::string(v.name) + " is too large");
    items_.push_back(item);
    return items_.size() - 1;
  }

  // Which variables and functions each body names.
  void collect() {
    Names shared;
    for (const ptx::Variable& v : names_.source.variables)
      if (v.space == Space::shared && !shared.count(v.name)) shared.emplace(v.name, add(v));
    if (names_.source.text.find(reserved_.name) != std::string_view::npos)
      shared.emplace(reserved_.name, add(reserved_));
    bool any = !shared.empty();
    for (const ptx::Function* f : bodies_)
      for (const ptx::Variable& v : f->variables) any |= v.space == Space::shared;
    if (!any) return;

    std::vector<std::size_t> by_address;  // functions whose address somebody takes
    for (const ptx::Variable& v : names_.source.variables)
      for (const ptx::InitialAddress& i : v.addresses)
        if (const int f = function_named(i.symbol); f >= 0)
          by_address.push_back(static_cast<std::size_t>(f));
    std::vector<bool> calls_indirectly(bodies_.size(), false);
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const ptx::Function& f = *bodies_[k];
      Names own;
      for (const ptx::Variable& v : f.variables)
        if (v.space == Space::shared && !own.count(v.name)) own.emplace(v.name, add(v));
      for (const ptx::Operand& o : f.operands) {
        if (o.name.empty()) continue;
        if (const auto it = own.find(o.name); it != own.end())
          uses_[k].push_back(it->second);
        else if (const auto at = shared.find(o.name); at != shared.end())
          uses_[k].push_back(at->second);
        else if (const int callee = function_named(o.name); callee >= 0)
          calls_[k].push_back(static_cast<std::size_t>(callee));
      }
      for (const auto& [name, item] : own) uses_[k].push_back(item);
      std::sort(uses_[k].begin(), uses_[k].end());
      uses_[k].erase(std::unique(uses_[k].begin(), uses_[k].end()), uses_[k].end());
      for (const ptx::Instruction& i : f.instructions)
        if (i.mnemonic.starts_with("call")) {
          const auto operands = f.operands_of(i);
          const bool named =
              std::any_of(operands.begin(), operands.end(), [&](const ptx::Operand& o) {
                return o.kind == ptx::Operand::Kind::name && function_named(o.name) >= 0;
              });
          if (!named) calls_indirectly[k] = true;
          continue;
        } else if (i.mnemonic.starts_with("mov") || i.mnemonic.starts_with("st")) {
          for (const ptx::Operand& o : f.operands_of(i))
            if (const int taken = function_named(o.name); taken >= 0)
              by_address.push_back(static_cast<std::size_t>(taken));
        }
    }
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      if (calls_indirectly[k])
        calls_[k].insert(calls_[k].end(), by_address.begin(), by_address.end());
  }

  int function_named(std::string_view name) const {
    if (name.empty() || name[0] == '%') return -1;
    const auto it = names_.symbols.find(name);
    return it != names_.symbols.end() && it->second.kind == ModuleNames::Symbol::Kind::function
               ? it->second.index
               : -1;
  }

  // All variables that a run of the kernel may touch.
  void reach(std::size_t kernel) {
    std::vector<bool> seen(bodies_.size(), false);
    std::vector<std::size_t> work{kernel};
    std::unordered_set<std::size_t> found;
    while (!work.empty()) {
      const std::size_t f = work.back();
      work.pop_back();
      if (seen[f]) continue;
      seen[f] = true;
      for (const std::size_t item : uses_[f]) {
        if (!bodies_[f]->is_entry) items_[item].is_pinned = true;
        if (found.insert(item).second) items_[item].kernels.push_back(kernel);
      }
      work.insert(work.end(), calls_[f].begin(), calls_[f].end());
    }
  }

  void place_pinned() {
    std::vector<const Item*> placed;
    for (Item& item : items_) {
      if (!item.is_pinned || item.is_dynamic) continue;
      const auto conflicts = [&](const Item* other) {
        const bool meets =
            std::any_of(item.kernels.begin(), item.kernels.end(), [&](std::size_t k) {
              return std::find(other->kernels.begin(), other->kernels.end(), k) !=
                     other->kernels.end();
            });
        return meets && item.offset < other->offset + other->bytes() &&
               other->offset < item.offset + item.bytes();
      };
      for (;;) {
        const auto other = std::find_if(placed.begin(), placed.end(), conflicts);
        if (other == placed.end()) break;
        item.offset = align_up((*other)->offset + (*other)->bytes(), item.alignment());
      }
      placed.push_back(&item);
    }
  }

  void place_in_kernel(std::size_t kernel) {
    Function& f = names_.module.functions[kernel];
    std::uint32_t top = 0;
    const auto note = [&](const Item& item, std::uint32_t offset) {
      top = std::max(top, offset + item.bytes());
      f.shared_alignment = std::max(f.shared_alignment, item.alignment());
      f.shared_variables.push_back({std::string(item.variable->name), offset, item.bytes()});
    };
    for (const Item& item : items_)
      if (item.is_pinned && !item.is_dynamic &&
          std::find(item.kernels.begin(), item.kernels.end(), kernel) != item.kernels.end())
        note(item, item.offset);
    for (const std::size_t i : uses_[kernel]) {
      const Item& item = items_[i];
      if (item.is_pinned || item.is_dynamic) continue;
      const std::uint32_t offset = align_up(top, item.alignment());
      own_[kernel * items_.size() + i] = offset;
      note(item, offset);
    }
    f.shared_bytes = top;
  }

  // Dynamic memory starts where the static ends; all its names mean the same place.
  void place_dynamic() {
    std::uint32_t common = 0;  // for kernels that reach a device function which names it
    const auto reaches = [&](std::size_t kernel, bool pinned_only) {
      return std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
        return item.is_dynamic && (!pinned_only || item.is_pinned) &&
               std::find(item.kernels.begin(), item.kernels.end(), kernel) != item.kernels.end();
      });
    };
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      if (!bodies_[k]->is_entry || !reaches(k, false)) continue;
      Function& f = names_.module.functions[k];
      for (const Item& item : items_)
        if (item.is_dynamic) f.shared_bytes = align_up(f.shared_bytes, item.alignment());
      if (reaches(k, true)) common = std::max(common, f.shared_bytes);
    }
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      if (!bodies_[k]->is_entry || !reaches(k, false)) continue;
      Function& f = names_.module.functions[k];
      if (reaches(k, true)) f.shared_bytes = common;
      for (const std::size_t i : uses_[k])
        if (items_[i].is_dynamic) {
          own_[k * items_.size() + i] = f.shared_bytes;
          f.shared_variables.push_back({std::string(items_[i].variable->name), f.shared_bytes, 0});
        }
    }
    for (Item& item : items_)
      if (item.is_dynamic) item.offset = common;
  }

  std::uint32_t kernel_offset(std::size_t kernel, std::size_t item) const {
    const auto it = own_.find(kernel * items_.size() + item);
    return it == own_.end() ? items_[item].offset : it->second;
  }

  static ptx::Variable reserved_variable() {
    ptx::Variable v;
    v.name = reserved_shared;
    v.type = Type::b64;
    v.elements = 36;  // as much as cooperative groups may expect
    return v;
  }

  ModuleNames& names_;
  const std::vector<const ptx::Function*>& bodies_;
  const ptx::Variable reserved_ = reserved_variable();
  std::vector<Item> items_;
  std::vector<std::vector<std::size_t>> uses_, calls_;  // of each function: items, functions
  std::unordered_map<std::size_t, std::uint32_t> own_;  // (kernel, item) → offset there
};

}  // namespace

const SharedVariable* reserved_shared_of(const Function& kernel) {
  for (const SharedVariable& v : kernel.shared_variables)
    if (v.name == reserved_shared) return &v;
  return nullptr;
}

std::uint32_t own_shared_bytes(const Function& kernel) {
  const SharedVariable* const reserved = reserved_shared_of(kernel);
  return kernel.shared_bytes - (reserved ? reserved->bytes : 0);
}

std::vector<SharedOffsets> lay_out_shared(ModuleNames& names,
                                          const std::vector<const ptx::Function*>& bodies) {
  return Layout(names, bodies).lay_out();
}

}  // namespace sim::ir
