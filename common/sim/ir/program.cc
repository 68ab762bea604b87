#include "sim/ir/program.h"

namespace sim::ir {

namespace {

template <class T>
int find(const std::vector<T>& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace

int Module::find_function(std::string_view name) const { return find(functions, name); }
int Module::find_variable(std::string_view name) const { return find(variables, name); }

}  // namespace sim::ir
