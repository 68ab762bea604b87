// What was left behind: errors that nobody looked at, and memory that nobody freed.
#include <algorithm>
#include <map>

#include "sim/runtime/context.h"
#include "sim/runtime/error_text.h"
#include "sim/runtime/host_lines.h"

namespace sim::runtime {

// cudaGetLastError gives an error that is older than the launch it is asked about. A real program
// then blames the kernel. Errors that were explained where they arose are not told again.
void Context::report_stale_error() {
  if (sticky_ != cudaSuccess || pending_ != cudaSuccess) return;
  const check::SourceLine made = source_line(last().site);
  for (const check::Finding& f : findings)
    if (made.line != 0 && f.where.line == made.line && f.where.file == made.file) return;
  const check::SourceLine asked = source_line(here());
  const std::size_t slash = asked.file.rfind('/');
  const std::string place =
      asked.line == 0 ? ""
                      : " at " + asked.file.substr(slash == std::string::npos ? 0 : slash + 1) +
                            ":" + std::to_string(asked.line);
  report_at(
      last().site, check::Kind::api_misuse,
      std::string("a call failed here with ") + cudaGetErrorName(last().error) + " (" +
          cudaGetErrorString(last().error) + "), and nobody looked: the error came to light" +
          place + ", after the launch of " + last().launched_since + ", which is not to blame.",
      "Every CUDA call returns its error: look at each, and ask cudaGetLastError() only about "
      "the launch just before it.");
  last().launched_since.clear();
}

void Context::report_leaks() {
  if (!memory_ || reports_itself || sticky_ != cudaSuccess || pending_ != cudaSuccess) return;
  struct Leak {
    const memory::Allocation* first;
    std::uint64_t count = 0, bytes = 0;
  };
  // By the call that made them, and the device.
  std::map<std::pair<std::vector<void*>, int>, Leak> leaks;
  for (const memory::Allocation* a : memory_->live()) {
    using memory::Kind;
    const bool hosts = a->kind == Kind::registered || a->kind == Kind::heap;
    if (hosts || !a->name.empty() || !a->made.frames[0]) continue;
    const std::vector<void*> site(std::begin(a->made.frames), std::end(a->made.frames));
    Leak& leak = leaks.try_emplace({site, a->device}, Leak{a}).first->second;
    ++leak.count;
    leak.bytes += a->bytes;
  }
  std::vector<Leak> ordered;
  for (const auto& [site, leak] : leaks) ordered.push_back(leak);
  std::ranges::sort(ordered, {}, [](const Leak& l) { return l.first->serial; });
  for (const Leak& l : ordered) {
    const std::string bytes = std::to_string(l.bytes) + " bytes";
    const std::string where =
        device_count() > 1 ? " on device " + std::to_string(l.first->device) : std::string();
    check::Finding& f = report_at(
        l.first->made, check::Kind::leak,
        l.count == 1 ? bytes + " allocated here" + where + " were never freed."
                     : std::to_string(l.count) + " allocations made here" + where + ", of " +
                           bytes + " together, were never freed.",
        "The driver takes memory back when the process ends, so a short program does not notice; a "
        "loop that allocates runs out. Free what you allocate, with the pointer that you got: "
        "cudaFree(nullptr) does nothing and reports nothing.",
        l.first, check::Severity::warning);
    f.occurrences = l.count;
  }
}

}  // namespace sim::runtime
