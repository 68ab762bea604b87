// Source with counts in the margin: which line executes how much, with how many lanes, and what its
// memory accesses cost.
#include <algorithm>
#include <array>
#include <vector>

#include "sim/count/metrics.h"
#include "sim/report/text.h"

namespace sim::report {

namespace {

namespace metric = count::metric;

using Counters = std::map<std::string, double>;

double value(const Counters& counters, const char* name) {
  const auto it = counters.find(name);
  return it == counters.end() ? 0 : it->second;
}

std::string when_any(double count) { return count == 0 ? std::string() : short_number(count); }

std::string instructions(const Counters& c) { return when_any(value(c, metric::inst_executed)); }
std::string lanes(const Counters& c) { return when_any(value(c, metric::active_threads_pred_on)); }
std::string divergent(const Counters& c) { return when_any(value(c, metric::branches_divergent)); }

// Loads, stores and atomics of the line together.
std::string sectors_per_request(const Counters& c) {
  const double requests =
      value(c, metric::global_requests_ld) + value(c, metric::global_requests_st) +
      value(c, metric::global_requests_atom) + value(c, metric::global_requests_red);
  const double sectors = value(c, metric::global_sectors_ld) + value(c, metric::global_sectors_st) +
                         value(c, metric::global_sectors_atom) +
                         value(c, metric::global_sectors_red);
  return requests == 0 ? std::string() : short_number(sectors / requests);
}

// Wavefronts per access of shared memory, and how many of them are conflicts.
std::string conflicts(const Counters& c) {
  const double accesses = value(c, metric::shared_inst_ld) + value(c, metric::shared_inst_st) +
                          value(c, metric::shared_inst_atom);
  return accesses == 0 ? std::string() : short_number(value(c, metric::shared_conflicts));
}

std::string local(const Counters& c) {
  return when_any(value(c, metric::local_sectors_ld) + value(c, metric::local_sectors_st));
}

struct Column {
  const char* title;
  std::string (*cell)(const Counters&);
};
constexpr std::array<Column, 6> columns{{
    {"instr", instructions},
    {"lanes", lanes},
    {"diverge", divergent},
    {"sect/req", sectors_per_request},
    {"bank-cfl", conflicts},
    {"local", local},
}};

// Counted lines of one file, in order.
using Lines = std::vector<const LineCounters*>;

std::string listing(const Lines& lines, SourceFiles& files, const Style& style) {
  std::vector<std::size_t> widths;
  std::vector<std::vector<std::string>> cells(lines.size());
  std::vector<const char*> titles;
  for (const Column& column : columns) {
    std::vector<std::string> texts;
    std::size_t width = columns_of(column.title);
    bool any = false;
    for (const LineCounters* l : lines) {
      texts.push_back(column.cell(l->counters));
      any |= !texts.back().empty();
      width = std::max(width, columns_of(texts.back()));
    }
    if (!any) continue;
    titles.push_back(column.title);
    widths.push_back(width);
    for (std::size_t i = 0; i < lines.size(); ++i) cells[i].push_back(std::move(texts[i]));
  }

  std::string head = "  ";
  for (std::size_t c = 0; c < titles.size(); ++c) head += padded_left(titles[c], widths[c]) + "  ";
  const std::size_t margin = columns_of(head);
  const std::string blank(margin, ' ');
  std::string out = style.dim(head + "  line | " + style.path(lines.front()->file)) + "\n";

  const auto code = [&](int number) {
    const std::string* text = files.line(lines.front()->file, number);
    return padded_left(std::to_string(number), 6) + " | " +
           (text ? clipped(*text, page_width - margin - 9) : std::string());
  };
  constexpr int gap = 3;  // uncounted lines between two counted ones that are still shown
  int last = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int line = lines[i]->line;
    if (last != 0 && line - last - 1 > gap)
      out += style.dim(blank + "   ... |") + "\n";
    else if (last != 0)
      for (int between = last + 1; between < line; ++between)
        out += blank + style.dim(code(between)) + "\n";
    out += "  ";
    for (std::size_t c = 0; c < widths.size(); ++c)
      out += padded_left(cells[i][c], widths[c]) + "  ";
    out += code(line) + "\n";
    last = line;
  }
  return out;
}

}  // namespace

std::string annotated_source(const KernelRecord& kernel, SourceFiles& files, const Style& style) {
  std::string out;
  Lines lines;
  const auto flush = [&] {
    if (!lines.empty()) out += listing(lines, files, style);
    lines.clear();
  };
  for (const LineCounters& l : kernel.lines) {
    if (!lines.empty() && lines.front()->file != l.file) flush();
    lines.push_back(&l);
  }
  flush();
  return out;
}

}  // namespace sim::report
