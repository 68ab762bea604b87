// The table of metrics: whole, without doubles, and sums that keep ratios true.
#include "sim/count/metrics.h"

#include <doctest/doctest.h>

#include <set>

using namespace sim::count;

TEST_CASE("every metric has a name of its own, a unit and a definition") {
  std::set<std::string_view> names;
  for (const Metric& m : all_metrics()) {
    CAPTURE(m.name);
    CHECK(names.insert(m.name).second);
    CHECK(!m.unit.empty());
    CHECK(m.definition.ends_with("."));
  }
  CHECK(names.size() > 80);
}

TEST_CASE("names carry the suffix that Nsight Compute asks for") {
  for (const Metric& m : all_metrics()) {
    CAPTURE(m.name);
    if (m.kind == Metric::Kind::counter) CHECK(m.name.ends_with(".sum"));
    if (m.kind == Metric::Kind::ratio)
      CHECK((m.name.ends_with(".ratio") || m.name.ends_with(".pct")));
  }
}

TEST_CASE("a metric is found by its name") {
  REQUIRE(find_metric("smsp__inst_executed.sum"));
  CHECK(find_metric("smsp__inst_executed.sum")->id == "inst_executed");
  // In many tutorials, but not a metric.
  CHECK(!find_metric("l1tex__average_t_sectors_per_requests_pipe_lsu_mem_global_op_ld.ratio"));
}

TEST_CASE("a ratio without a denominator is zero for a kernel and absent for a line") {
  const Sums nothing;
  CHECK(nothing.by_name(true).at(metric::global_sectors_per_request_ld) == 0);
  CHECK(nothing.by_name(false).empty());
}

TEST_CASE("adding launches up adds counts and divides the sums for ratios") {
  Sums a, b;
  a[Counter::global_requests_ld] = 1;
  a[Counter::global_sectors_ld] = 4;
  b[Counter::global_requests_ld] = 3;
  b[Counter::global_sectors_ld] = 96;
  auto sum = a.by_name(true);
  add(sum, b.by_name(true));
  CHECK(sum.at(metric::global_sectors_ld) == 100);
  CHECK(sum.at(metric::global_sectors_per_request_ld) == 25);
}
