#include "lab/record.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lab/paths.h"

namespace lab {
namespace {

using nlohmann::json;

json place(const std::optional<profile::Place>& at) {
  return at ? json{at->x, at->y, at->z} : json();
}

template <class T>
json nullable(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

}  // namespace

std::string Record::status() const {
  if (!not_started.empty()) return "not started";
  auto passed = [](const auto& entry) { return entry.passed; };
  bool all = std::all_of(cases.begin(), cases.end(), passed) &&
             std::all_of(gates.begin(), gates.end(), passed);
  return !cases.empty() && all ? "passed" : "failed";
}

int Record::points() const {
  if (status() != "passed") return 0;
  const auto measured = [](const GateRecord& entry) { return entry.measured.has_value(); };
  return static_cast<int>(cases.size()) +
         static_cast<int>(std::count_if(gates.begin(), gates.end(), measured));
}

std::string Record::json() const {
  nlohmann::ordered_json out{
      {"nonce", nonce}, {"lab", lab},         {"variant", variant}, {"device", device},
      {"seed", seed},   {"status", status()}, {"points", points()}, {"message", not_started}};
  out["checks_memory"] = checks_memory;
  out["cases"] = nlohmann::ordered_json::array();
  for (const CaseRecord& entry : cases)
    out["cases"].push_back(
        {{"name", entry.name}, {"passed", entry.passed}, {"message", entry.message}});
  out["gates"] = nlohmann::ordered_json::array();
  for (const GateRecord& entry : gates)
    out["gates"].push_back({{"name", entry.name},
                            {"passed", entry.passed},
                            {"measured", nullable(entry.measured)},
                            {"limit", entry.limit},
                            {"comparison", entry.comparison},
                            {"naive", entry.naive},
                            {"text", entry.text}});
  out["findings"] = nlohmann::ordered_json::array();
  for (const FindingRecord& entry : findings)
    out["findings"].push_back({{"kind", entry.finding.kind},
                               {"severity", entry.finding.severity},
                               {"message", entry.finding.message},
                               {"file", shown_path(entry.finding.file)},
                               {"line", entry.finding.line},
                               {"kernel", entry.finding.kernel},
                               {"block", place(entry.finding.block)},
                               {"thread", place(entry.finding.thread)},
                               {"address", nullable(entry.finding.address)},
                               {"case", entry.case_name}});
  out["complete"] = true;
  // Learners' texts may hold any bytes: replace what is no UTF-8 instead of throwing.
  return out.dump(1, ' ', false, json::error_handler_t::replace);
}

void Record::write(const std::string& path) const {
  const std::string unfinished = path + ".part";
  {
    std::ofstream file(unfinished);
    file << json() << '\n';
    if (!file.flush()) return;  // no record is a failure, and that is what it should be
  }
  std::rename(unfinished.c_str(), path.c_str());
}

}  // namespace lab
