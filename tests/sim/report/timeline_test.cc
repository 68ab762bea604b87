// The timeline as text and as a trace file.
#include "sim/report/timeline_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using sim::TimelineEntry;
using Kind = sim::TimelineEntry::Kind;

namespace {

TimelineEntry entry(Kind kind, std::uint32_t stream, std::uint64_t begin, std::uint64_t end) {
  TimelineEntry e;
  e.kind = kind;
  e.name = "work";
  e.stream = stream;
  e.begin_ns = begin;
  e.end_ns = end;
  return e;
}

}  // namespace

TEST_CASE("work of one stream is no picture") {
  CHECK(sim::report::gantt(std::vector{entry(Kind::kernel, 0, 0, 10)}, {}) == "");
}

TEST_CASE("each stream has a row, in which a mark's place is its time") {
  const std::string text = sim::report::gantt(
      std::vector{entry(Kind::copy_to_device, 1, 0, 40'000), entry(Kind::kernel, 2, 0, 80'000)},
      {});
  CHECK(text.find("stream 1 |" + std::string(43, '>') + std::string(43, ' ') + "|") !=
        std::string::npos);
  CHECK(text.find("stream 2 |" + std::string(86, '#') + "|") != std::string::npos);
  CHECK(text.find("80 µs") != std::string::npos);
  CHECK(text.find("overlap for 100%") != std::string::npos);
}

TEST_CASE("a trace has a track for each branch, and times in microseconds") {
  const auto all = nlohmann::json::parse(sim::report::trace(
      std::vector{entry(Kind::kernel, 1, 1000, 3000), entry(Kind::kernel, 1, 2000, 4000)}, ""));
  std::vector<int> tracks;
  for (const auto& e : all["traceEvents"])
    if (e["ph"] == "X") {
      tracks.push_back(e["tid"]);
      CHECK(e["dur"] == 2.0);
    }
  CHECK(tracks == std::vector{1, 2});
}
