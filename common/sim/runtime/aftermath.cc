// What was left behind: errors that nobody looked at, and memory that nobody freed.
#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sim/report/source_file.h"
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
    if (made.line != 0 && f.where == made) return;
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

namespace {

std::string trimmed(const std::string& line) {
  const std::size_t comment = line.find("//");
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string::npos || first >= comment) return "";
  const std::size_t last = line.find_last_not_of(" \t", comment - 1);
  return line.substr(first, last - first + 1);
}

// The call, if this line is a statement that drops what the call returns: `cudaSetDevice(2);`.
std::string dropped_call(report::SourceFiles& files, const check::SourceLine& line) {
  const std::string* text = files.line(line.file, line.line);
  if (!text) return "";
  const std::string statement = trimmed(*text);
  const std::size_t name_ends = statement.find_first_of(" (<");
  if (!statement.starts_with("cuda") || name_ends == std::string::npos) return "";
  if (statement.find('=') < statement.find('(')) return "";
  const std::string* before = files.line(line.file, line.line - 1);
  const std::string previous = before ? trimmed(*before) : "";
  const bool begins = previous.empty() || previous[0] == '#' ||
                      std::string_view(";{}:").find(previous.back()) != std::string_view::npos;
  return begins ? statement.substr(0, name_ends) : "";
}

}  // namespace

// A stream, an event or memory that CUDA does not know is a mistake, whoever looks at the error.
void Context::report_unknown_handle(cudaError_t error) {
  const bool handle = error == cudaErrorInvalidResourceHandle;
  if (!handle && error != cudaErrorHostMemoryNotRegistered) return;
  const check::SourceLine line = source_line(last().site);
  for (std::size_t i = marked_findings; i < findings.size(); ++i)
    if (findings[i].where == line) return;
  report_at(last().site, check::Kind::api_misuse,
            std::string("a call failed here with ") + cudaGetErrorName(error) + " (" +
                cudaGetErrorString(error) + ").",
            handle
                ? "A stream, event or graph must have been created, and is gone once it was "
                  "destroyed: destroy each once, and last."
                : "Only what cudaHostRegister was given can be unregistered, by the same pointer "
                  "and once.");
}

// Calls that failed, whose result the program drops, and who never asked cudaGetLastError either.
void Context::report_errors_ignored() {
  if (reports_itself) return;
  report::SourceFiles files;
  for (const Failed& failed : std::exchange(failed_, {})) {
    const check::SourceLine line = source_line(failed.site);
    const bool told = std::ranges::any_of(findings, [&](const check::Finding& f) {
      return f.where == line && f.severity == check::Severity::error;
    });
    const std::string call = line.line > 0 && !told ? dropped_call(files, line) : "";
    if (call.empty()) continue;
    report_at(failed.site, check::Kind::api_misuse,
              call + " failed here with " + cudaGetErrorName(failed.error) + " (" +
                  cudaGetErrorString(failed.error) + "), and nobody looked.",
              "Whatever comes after it counts on what it did not do. Every CUDA call returns its "
              "error: look at each.");
  }
}

void Context::report_untimed(Event& event) {
  if (!event.asked_too_early.frames[0]) return;
  report_at(event.asked_too_early, check::Kind::api_misuse,
            "cudaEventElapsedTime gives no time: the event has not happened yet "
            "(cudaErrorNotReady).",
            "Wait for the second event with cudaEventSynchronize before you ask for the time.");
  event.asked_too_early = {};
}

void Context::report_untimed() {
  for (const auto& [key, event] : work.events()) report_untimed(*event);
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
