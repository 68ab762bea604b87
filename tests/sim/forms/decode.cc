// Decodes PTX modules, given behind each other with a zero byte between them, and tells of each
// whether the simulated GPU runs its kernel: one line a module, "runs", "refuses" or "fails", a
// tab, and what is refused or wrong.
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "sim/exec/step.h"
#include "sim/ir/load.h"

namespace {

std::string verdict(std::string_view text) {
  sim::ir::Module module;
  const std::string error = sim::ir::load(text, sim::exec::missing, module);
  if (!error.empty()) return "fails\t" + error.substr(0, error.find('\n'));
  for (const sim::ir::Function& f : module.functions)
    if (!f.refusals.empty()) return "refuses\t" + f.refusals.front().what;
  return "runs\t";
}

}  // namespace

int main() {
  const std::string all(std::istreambuf_iterator<char>(std::cin), {});
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find('\0', at), all.size());
    std::cout << verdict(std::string_view(all).substr(at, end - at)) << '\n';
    at = end + 1;
  }
}
