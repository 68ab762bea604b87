// The timeline as text and as a trace file.
#include "sim/report/timeline_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
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

TEST_CASE("a device with many tracks is named once in a trace") {
  const auto all = nlohmann::json::parse(sim::report::trace(
      std::vector{entry(Kind::kernel, 1, 1000, 3000), entry(Kind::kernel, 2, 2000, 4000)}, ""));
  int names = 0;
  for (const auto& e : all["traceEvents"]) names += e["name"] == "process_name";
  CHECK(names == 1);
}

// As the importer of Perfetto reads them: whole nanoseconds, the rest cut off.
TEST_CASE("times in a trace are exact to the nanosecond when they are cut off there") {
  std::vector<TimelineEntry> timeline;
  std::uint64_t time = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const std::uint64_t end = time + 1 + i * i % 7919;
    timeline.push_back(entry(Kind::kernel, 1, time, end));
    time = end;
  }
  const auto all = nlohmann::json::parse(sim::report::trace(timeline, ""));
  const auto ns = [](const nlohmann::json& us) {
    return static_cast<std::uint64_t>(us.get<double>() * 1000);
  };
  std::size_t i = 0;
  for (const auto& e : all["traceEvents"])
    if (e["ph"] == "X") {
      REQUIRE(ns(e["ts"]) == timeline[i].begin_ns);
      REQUIRE(ns(e["ts"]) + ns(e["dur"]) == timeline[i].end_ns);
      ++i;
    }
  CHECK(i == timeline.size());
}

TEST_CASE("a trace has the fields that its format asks for, and names for its tracks") {
  const auto all = nlohmann::json::parse(sim::report::trace(
      std::vector{entry(Kind::copy_to_device, 1, 0, 10), entry(Kind::kernel, 2, 5, 20)}, ""));
  CHECK(all.size() == 1);  // no unit that viewers understand in different ways
  std::set<std::pair<int, int>> named, used;
  for (const auto& e : all["traceEvents"]) {
    CHECK(e["name"].is_string());
    CHECK(e["pid"].is_number_integer());
    if (e["ph"] == "M") {
      CHECK(e["args"]["name"].is_string());
      if (e["name"] == "thread_name") named.emplace(e["pid"].get<int>(), e["tid"].get<int>());
      continue;
    }
    CHECK(e["ph"] == "X");
    CHECK(e["cat"].is_string());
    CHECK(e["ts"].is_number());
    CHECK(e["dur"].is_number());
    CHECK(e["args"].is_object());
    used.emplace(e["pid"].get<int>(), e["tid"].get<int>());
  }
  CHECK(named == used);
}
