#include "sim/report/timeline_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include <nlohmann/json.hpp>

namespace sim::report {

namespace {

// Work of one stream that ran one after the other. The branches of a graph run side by side, so
// that its stream has several rows.
struct Row {
  int device = 0;
  std::uint32_t stream = 0;
  std::size_t branch = 0;
  std::vector<const TimelineEntry*> entries;

  std::string name() const {
    std::string text = stream == 0 ? "default stream" : "stream " + std::to_string(stream);
    return branch == 0 ? text : text + ", branch " + std::to_string(branch + 1);
  }
};

std::vector<Row> rows_of(std::span<const TimelineEntry> timeline) {
  std::vector<const TimelineEntry*> all;
  for (const TimelineEntry& e : timeline) all.push_back(&e);
  std::ranges::stable_sort(all, {}, &TimelineEntry::begin_ns);
  std::map<std::pair<int, std::uint32_t>, std::vector<Row>> streams;
  for (const TimelineEntry* e : all) {
    std::vector<Row>& rows = streams[{e->device, e->stream}];
    auto row = std::ranges::find_if(
        rows, [&](const Row& r) { return r.entries.back()->end_ns <= e->begin_ns; });
    if (row == rows.end()) row = rows.insert(rows.end(), {e->device, e->stream, rows.size(), {}});
    row->entries.push_back(e);
  }
  std::vector<Row> result;
  for (auto& [stream, rows] : streams)
    for (Row& r : rows) result.push_back(std::move(r));
  return result;
}

bool has_several_devices(const std::vector<Row>& rows) {
  return std::ranges::any_of(rows, [&](const Row& r) { return r.device != rows[0].device; });
}

char mark(TimelineEntry::Kind kind) {
  using Kind = TimelineEntry::Kind;
  switch (kind) {
    case Kind::kernel: return '#';
    case Kind::copy_to_device: return '>';
    case Kind::copy_to_host: return '<';
    case Kind::host_function: return 'h';
    default: return '=';
  }
}

}  // namespace

std::string gantt(std::span<const TimelineEntry> timeline, const Style& style) {
  const std::vector<Row> rows = rows_of(timeline);
  if (rows.size() < 2) return {};
  constexpr std::size_t most_rows = 20;
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  std::size_t label = 0;
  for (const TimelineEntry& e : timeline) {
    begin = std::min(begin, e.begin_ns);
    end = std::max(end, e.end_ns);
  }
  const bool several = has_several_devices(rows);
  const auto name = [&](const Row& r) {
    return (several ? "device " + std::to_string(r.device) + ", " : std::string()) + r.name();
  };
  for (const Row& r : rows) label = std::max(label, name(r).size());
  const std::size_t columns = page_width - label - 6;
  const double scale =
      static_cast<double>(columns) / static_cast<double>(std::max(end - begin, std::uint64_t{1}));
  const auto column = [&](std::uint64_t t) {
    return std::min(columns - 1, static_cast<std::size_t>(static_cast<double>(t - begin) * scale));
  };

  std::string out = style.bold("timeline") + " (modelled: order and overlap, not speed), " +
                    number(static_cast<double>((end - begin + 500) / 1000)) + " µs\n";
  for (std::size_t i = 0; i < rows.size() && i < most_rows; ++i) {
    std::string line(columns, ' ');
    for (const TimelineEntry* e : rows[i].entries) {
      const std::size_t first = column(e->begin_ns);
      const std::size_t last = std::max(first, column(e->end_ns - (e->end_ns > e->begin_ns)));
      std::fill(line.begin() + static_cast<std::ptrdiff_t>(first),
                line.begin() + static_cast<std::ptrdiff_t>(last) + 1, mark(e->kind));
    }
    out += "  " + padded_right(name(rows[i]), label) + " |" + line + "|\n";
  }
  if (rows.size() > most_rows)
    out += "  (" + std::to_string(rows.size() - most_rows) + " more rows)\n";
  out += style.dim(
             "  > copy to device   # kernel   < copy to host   = other copy or fill   "
             "h host function") +
         "\n";
  const bool copies = std::ranges::any_of(timeline, &TimelineEntry::is_copy);
  const bool kernels = std::ranges::any_of(
      timeline, [](const TimelineEntry& e) { return e.kind == TimelineEntry::Kind::kernel; });
  if (copies && kernels)
    out += "  copies and kernels overlap for " +
           number(static_cast<double>(static_cast<int>(100 * count::overlap(timeline) + 0.5))) +
           "% of the shorter of the two\n";
  return out;
}

namespace {

// A trace counts microseconds. A viewer that makes whole nanoseconds of them cuts off what is left:
// of two slices of a track that touch, the second would begin before the first ends.
double microseconds(std::uint64_t ns) {
  double us = static_cast<double>(ns) / 1000;
  while (static_cast<std::uint64_t>(us * 1000) < ns)
    us = std::nextafter(us, std::numeric_limits<double>::infinity());
  return us;
}

}  // namespace

std::string trace(std::span<const TimelineEntry> timeline, const std::string& root) {
  using Json = nlohmann::ordered_json;
  Json events = Json::array();
  const std::vector<Row> rows = rows_of(timeline);
  // Each device is what the viewer calls a process.
  const auto process = [](const Row& r) { return r.device + 1; };
  const bool several = has_several_devices(rows);
  for (int device = -1; const Row& r : rows) {
    if (r.device == device) continue;
    device = r.device;
    const std::string which = several ? " " + std::to_string(device) : "";
    events.push_back(
        {{"ph", "M"},
         {"name", "process_name"},
         {"pid", process(r)},
         {"args", {{"name", "Warp & Weft simulated GPU" + which + " (modelled times)"}}}});
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    events.push_back({{"ph", "M"},
                      {"name", "thread_name"},
                      {"pid", process(rows[i])},
                      {"tid", i + 1},
                      {"args", {{"name", rows[i].name()}}}});
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const TimelineEntry* e : rows[i].entries) {
      Json arguments{{"serial", e->serial}};
      if (e->bytes > 0) arguments["bytes"] = e->bytes;
      if (e->launch > 0) arguments["launch"] = e->launch;
      if (e->line > 0) arguments["at"] = tidy_path(e->file, root) + ":" + std::to_string(e->line);
      events.push_back({{"ph", "X"},
                        {"name", e->name},
                        {"cat", name_of(e->kind)},
                        {"pid", process(rows[i])},
                        {"tid", i + 1},
                        {"ts", microseconds(e->begin_ns)},
                        {"dur", microseconds(e->end_ns - e->begin_ns)},
                        {"args", std::move(arguments)}});
    }
  // Without displayTimeUnit: some viewers take it for the unit of the times.
  const Json all{{"traceEvents", std::move(events)}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sim::report
