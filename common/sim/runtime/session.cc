// The session, and the reports that the environment asks for when the process ends.
#include "sim/runtime/session.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "sim/report/json.h"
#include "sim/report/text.h"
#include "sim/report/timeline_text.h"
#include "sim/runtime/context.h"
#include "sim/runtime/host_lines.h"

namespace sim {

using runtime::Context;

namespace {

// Kernels are recorded as they run.
std::vector<KernelRecord> in_launch_order(std::span<const KernelRecord> records) {
  std::vector<KernelRecord> sorted(records.begin(), records.end());
  std::ranges::stable_sort(sorted, {}, &KernelRecord::launch);
  return sorted;
}

// With the lines of the calls only if they are asked for: to find them takes a while.
std::vector<TimelineEntry> with_lines(const runtime::Work& work, bool wanted) {
  std::vector<TimelineEntry> timeline = work.timeline();
  for (std::size_t i = 0; wanted && i < timeline.size(); ++i) {
    const check::SourceLine line = runtime::source_line(work.site_of(i));
    timeline[i].file = line.file;
    timeline[i].line = line.line;
  }
  return timeline;
}

void write(const char* path, const std::string& text) {
  FILE* file = std::fopen(path, "w");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if ((file && std::fclose(file) != 0) || !written)
    std::fprintf(stderr, "The report could not be written to %s: %s.\n", path,
                 std::strerror(errno));
}

}  // namespace

Session& Session::current() {
  static Session session;
  return session;
}

Mark Session::mark() const {
  Context& c = Context::get();
  c.finish();
  c.marked_findings = c.findings.size();
  return {c.kernel_records.size(), c.findings.size(), c.work.timeline().size(), c.work.calls};
}

std::vector<KernelRecord> Session::kernels(Mark since) const {
  Context::get().finish();
  const auto& all = Context::get().kernel_records;
  return in_launch_order(std::span(all).subspan(std::min(since.kernels, all.size())));
}

std::vector<check::Finding> Session::findings(Mark since) const {
  Context::get().finish();
  const auto& all = Context::get().findings;
  return {all.begin() + static_cast<std::ptrdiff_t>(std::min(since.findings, all.size())),
          all.end()};
}

std::vector<TimelineEntry> Session::timeline(Mark since) const {
  Context::get().finish();
  const auto& all = Context::get().work.timeline();
  return {all.begin() + static_cast<std::ptrdiff_t>(std::min(since.timeline, all.size())),
          all.end()};
}

HostCalls Session::calls(Mark since) const { return Context::get().work.calls - since.calls; }

std::string Session::json(int exit_code) const {
  Context& c = Context::get();
  c.finish();
  return report::json(in_launch_order(c.kernel_records), c.findings, exit_code, {},
                      c.work.timeline());
}

void Session::reports_itself(bool value) { Context::get().reports_itself = value; }
void Session::fail_allocation(int count) { Context::get().failing_allocation = count; }
void Session::fail_launch(int count) { Context::get().failing_launch = count; }
void Session::set_workers(unsigned count) { Context::get().set_workers(count); }
void Session::set_checks(bool value) { Context::get().set_checks(value); }

namespace runtime {

void Context::write_reports(int exit_code, bool died) {
  const Serving serving(*this);
  if (reported_) return;
  reported_ = true;
  if (!died) work.finish(false);
  report_untimed();
  for (check::Finding& advice : work.overlap_advice()) findings.push_back(std::move(advice));
  if (!died) report_errors_ignored();
  if (!died && exit_code == 0) report_leaks();
  const std::vector<KernelRecord> kernels = in_launch_order(kernel_records);
  if (std::ranges::any_of(devices_, [](const DeviceState& d) { return !d.printed.empty(); }))
    report_at({}, check::Kind::api_misuse,
              "the program ended before the text of a kernel's printf was shown.",
              "The text waits on the device until the host waits for it: call "
              "cudaDeviceSynchronize() after the "
              "kernel.",
              nullptr, check::Severity::warning);
  const char* wanted = std::getenv("WARP_WEFT_TEXT");
  const char* trace = std::getenv("WARP_WEFT_TIMELINE");
  const bool lines = (wanted && *wanted && std::strcmp(wanted, "0") != 0) || (trace && *trace);
  const std::vector<TimelineEntry> timeline = with_lines(work, lines);
  const char* variable = std::getenv("WARP_WEFT_ROOT");
  const std::string root = variable ? variable : "";
  if (const char* path = std::getenv("WARP_WEFT_JSON"); path && *path)
    write(path, report::json(kernels, findings, exit_code, root, timeline));
  if (trace && *trace) write(trace, report::trace(timeline, root));
  if (reports_itself || (wanted && std::strcmp(wanted, "0") == 0)) return;
  const bool everything = wanted && *wanted;
  std::vector<check::Finding> shown = findings;
  if (!everything)  // advice, and what the end of the process puts right, is for those who ask
    std::erase_if(shown, [](const check::Finding& f) {
      return f.severity == check::Severity::advice || f.kind == check::Kind::leak;
    });
  if (!everything && shown.empty()) return;
  report::print(stderr, everything ? kernels : std::vector<KernelRecord>(), shown,
                everything ? timeline : std::vector<TimelineEntry>());
}

}  // namespace runtime

}  // namespace sim
