#include "sim/report/text.h"

#include <algorithm>
#include <vector>

#include "sim/count/metrics.h"
#include "sim/report/timeline_text.h"

namespace sim::report {

namespace {

// Launches of one kernel with one shape, shown as one.
struct Group {
  KernelRecord sum;
  std::uint64_t launches = 1;
  bool alike = true;  // all counted the same
};

bool same_shape(const KernelRecord& a, const KernelRecord& b) {
  return a.name == b.name && a.grid == b.grid && a.block == b.block && a.registers == b.registers &&
         a.static_shared == b.static_shared && a.dynamic_shared == b.dynamic_shared;
}

void add(KernelRecord& sum, const KernelRecord& k) {
  count::add(sum.counters, k.counters);
  for (const LineCounters& line : k.lines) {
    const auto at =
        std::ranges::lower_bound(sum.lines, std::tie(line.file, line.line), {},
                                 [](const LineCounters& l) { return std::tie(l.file, l.line); });
    if (at != sum.lines.end() && at->file == line.file && at->line == line.line)
      count::add(at->counters, line.counters);
    else
      sum.lines.insert(at, line);
  }
}

std::vector<Group> grouped(std::span<const KernelRecord> kernels) {
  std::vector<Group> groups;
  std::vector<const KernelRecord*> first;
  for (const KernelRecord& k : kernels) {
    const auto it =
        std::ranges::find_if(groups, [&](const Group& g) { return same_shape(g.sum, k); });
    if (it == groups.end()) {
      groups.push_back({k, 1, true});
      first.push_back(&k);
      continue;
    }
    it->alike &= first[static_cast<std::size_t>(it - groups.begin())]->counters == k.counters;
    ++it->launches;
    add(it->sum, k);
  }
  // Launches that counted the same are shown as one of them.
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].alike) groups[i].sum = *first[i];
  return groups;
}

std::string size(const std::array<std::uint32_t, 3>& s) {
  std::string result = number(s[0]);
  if (s[1] != 1 || s[2] != 1) result += " x " + number(s[1]);
  if (s[2] != 1) result += " x " + number(s[2]);
  return result;
}

std::string heading(const Group& g, const Style& style) {
  const KernelRecord& k = g.sum;
  std::string times;
  if (g.launches > 1)
    times = " (" + number(static_cast<double>(g.launches)) +
            (g.alike ? " launches, each:)" : " launches, together:)");
  std::string facts = "grid " + size(k.grid) + ", block " + size(k.block) + ", " +
                      number(k.registers) + " registers, " +
                      number(k.static_shared + k.dynamic_shared) + " B shared";
  if (k.local_bytes > 0) facts += ", " + number(k.local_bytes) + " B stack";
  facts += ", theoretical occupancy " + number(100 * k.theoretical_occupancy) + "%";
  return style.bold(clipped(k.name, page_width - 40)) + times + "\n" + wrapped(facts, "  ");
}

}  // namespace

std::string text(std::span<const KernelRecord> kernels, std::span<const check::Finding> findings,
                 const Style& style, std::span<const TimelineEntry> timeline) {
  SourceFiles files;
  std::string out;
  for (const check::Finding& f : findings) out += finding_text(f, files, style) + "\n";
  for (const Group& g : grouped(kernels)) {
    out += heading(g, style);
    out += counter_table(g.sum, style);
    out += annotated_source(g.sum, files, style) + "\n";
  }
  out += gantt(timeline, style);
  return out;
}

void print(std::FILE* file, std::span<const KernelRecord> kernels,
           std::span<const check::Finding> findings, std::span<const TimelineEntry> timeline) {
  const std::string all = text(kernels, findings, Style::for_output(fileno(file)), timeline);
  std::fwrite(all.data(), 1, all.size(), file);
}

}  // namespace sim::report
