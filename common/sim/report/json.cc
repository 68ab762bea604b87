#include "sim/report/json.h"

#include <nlohmann/json.hpp>

#include <cmath>

#include "sim/report/style.h"

namespace sim::report {

namespace {

using Json = nlohmann::ordered_json;

// Counts are integers; only ratios have a fraction.
Json value(double number) {
  constexpr double exact = 9007199254740992;  // 2^53
  if (number == std::floor(number) && std::abs(number) < exact)
    return static_cast<std::int64_t>(number);
  return number;
}

class Writer {
 public:
  explicit Writer(const std::string& root) : root_(root) {}

  Json kernel(const KernelRecord& k) const {
    Json counters = Json::object();
    for (const auto& [name, number] : k.counters) counters[name] = value(number);
    Json lines = Json::array();
    for (const LineCounters& l : k.lines) {
      Json line{{"file", tidy_path(l.file, root_)}, {"line", l.line}};
      for (const auto& [name, number] : l.counters) line[name] = value(number);
      lines.push_back(std::move(line));
    }
    Json accesses = Json::array();
    for (const TracedAccess& a : k.accesses)
      accesses.push_back({{"file", tidy_path(a.file, root_)},
                          {"line", a.line},
                          {"space", a.space},
                          {"kind", a.kind},
                          {"bytes", a.bytes},
                          {"lanes", a.lanes}});
    Json kernel{{"name", k.name},
                {"launch", k.launch},
                {"device", k.device},
                {"grid", k.grid},
                {"block", k.block},
                {"registers", k.registers},
                {"static_shared", k.static_shared},
                {"dynamic_shared", k.dynamic_shared},
                {"local_bytes", k.local_bytes},
                {"theoretical_occupancy", k.theoretical_occupancy},
                {"counters", std::move(counters)},
                {"lines", std::move(lines)}};
    if (!accesses.empty()) kernel["accesses"] = std::move(accesses);
    return kernel;
  }

  Json finding(const check::Finding& f) const {
    Json j{{"kind", check::name_of(f.kind)},
           {"severity", check::name_of(f.severity)},
           {"message", f.message},
           {"advice", f.advice},
           {"file", f.where.line > 0 ? Json(tidy_path(f.where.file, root_)) : Json()},
           {"line", f.where.line > 0 ? Json(f.where.line) : Json()},
           {"kernel", f.kernel.empty() ? Json() : Json(f.kernel)},
           {"launch", f.launch != 0 ? Json(f.launch) : Json()},
           {"block", f.block ? coordinates(*f.block) : Json()},
           {"thread", f.thread ? coordinates(*f.thread) : Json()},
           {"address", f.address ? Json(*f.address) : Json()},
           {"access", f.access.empty() ? Json() : Json(f.access)},
           {"bytes", f.bytes != 0 ? Json(f.bytes) : Json()},
           {"occurrences", f.occurrences}};
    if (f.launches > 1) j["launches"] = f.launches;
    if (!f.inlined_into.empty())
      for (const check::SourceLine& l : f.inlined_into) j["inlined_into"].push_back(place(l));
    if (f.allocation) {
      const check::AllocationNote& a = *f.allocation;
      j["allocation"] = {{"name", a.name.empty() ? Json() : Json(a.name)},
                         {"kind", a.kind},
                         {"address", a.address},
                         {"bytes", a.bytes},
                         {"made", place(a.made)},
                         {"freed", place(a.freed)}};
    }
    for (const check::Side& s : f.sides)
      j["sides"].push_back({{"what", s.what},
                            {"where", place(s.where)},
                            {"block", coordinates(s.block)},
                            {"thread", coordinates(s.thread)}});
    return j;
  }

  Json entry(const TimelineEntry& e) const {
    return {{"kind", name_of(e.kind)},
            {"name", e.name},
            {"serial", e.serial},
            {"launch", e.launch != 0 ? Json(e.launch) : Json()},
            {"device", e.device},
            {"stream", e.stream},
            {"begin_ns", e.begin_ns},
            {"end_ns", e.end_ns},
            {"bytes", e.bytes},
            {"pageable", e.pageable},
            {"file", e.line > 0 ? Json(tidy_path(e.file, root_)) : Json()},
            {"line", e.line > 0 ? Json(e.line) : Json()}};
  }

 private:
  static Json coordinates(const check::Coordinates& c) { return Json::array({c.x, c.y, c.z}); }
  Json place(const check::SourceLine& l) const {
    if (l.line <= 0) return nullptr;
    return {{"file", tidy_path(l.file, root_)}, {"line", l.line}};
  }

  const std::string& root_;
};

}  // namespace

std::string json(std::span<const KernelRecord> kernels, std::span<const check::Finding> findings,
                 int exit_code, const std::string& root, std::span<const TimelineEntry> timeline) {
  const Writer writer(root);
  Json all{{"kernels", Json::array()},
           {"findings", Json::array()},
           {"timeline", Json::array()},
           {"exit_code", exit_code}};
  for (const KernelRecord& k : kernels) all["kernels"].push_back(writer.kernel(k));
  for (const TimelineEntry& e : timeline) all["timeline"].push_back(writer.entry(e));
  for (const check::Finding& f : findings) all["findings"].push_back(writer.finding(f));
  // A path or an assertion's text may be any bytes: what is not UTF-8 is replaced, not refused.
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sim::report
