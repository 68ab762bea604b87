// The JSON report, as programs read it.
#include "sim/report/json.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "report/records.h"

using nlohmann::json;
using sim::test::copy_kernel;
using sim::test::missing_bounds_check;

namespace {

json report(const std::vector<sim::KernelRecord>& kernels,
            const std::vector<sim::check::Finding>& findings, int exit_code = 0,
            const std::string& root = "") {
  return json::parse(sim::report::json(kernels, findings, exit_code, root));
}

}  // namespace

TEST_CASE("an empty run has all four parts") {
  CHECK(report({}, {}, 3) == json{{"kernels", json::array()},
                                  {"findings", json::array()},
                                  {"timeline", json::array()},
                                  {"exit_code", 3}});
}

TEST_CASE("a kernel has its launch, its counters and its lines") {
  const json k = report({copy_kernel("/home/ada/k.cu")}, {})["kernels"][0];
  CHECK(k["name"] == "copy<float>");
  CHECK(k["grid"] == json{2, 1, 1});
  CHECK(k["block"] == json{32, 1, 1});
  CHECK(k["registers"] == 12);
  CHECK(k["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 9);
  CHECK(k["counters"]["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"] ==
        4.5);
  CHECK(k["lines"][1]["file"] == "/home/ada/k.cu");
  CHECK(k["lines"][1]["line"] == 4);
  CHECK(k["lines"][1]["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == 2);
}

TEST_CASE("counts are written as integers") {
  const std::string text = sim::report::json(std::vector{copy_kernel("k.cu")}, {}, 0);
  CHECK(text.find("\"smsp__inst_executed.sum\": 12,") != std::string::npos);
}

TEST_CASE("a finding has kind, severity, sentence and place") {
  const json f =
      report({}, {missing_bounds_check("/home/ada/k.cu")}, 1, "/home/ada")["findings"][0];
  CHECK(f["kind"] == "out-of-bounds");
  CHECK(f["severity"] == "error");
  CHECK(f["file"] == "k.cu");
  CHECK(f["line"] == 4);
  CHECK(f["kernel"] == "copy<float>");
  CHECK(f["block"] == json{1, 0, 0});
  CHECK(f["thread"] == json{1, 0, 0});
  CHECK(f["address"] == 0x7000'0084);
  CHECK(f["allocation"]["made"] == json{{"file", "main.cu"}, {"line", 20}});
  CHECK(f["allocation"]["freed"] == nullptr);
}

TEST_CASE("a finding of several launches has their number") {
  sim::check::Finding f = missing_bounds_check("/home/ada/k.cu");
  CHECK_FALSE(report({}, {f})["findings"][0].contains("launches"));
  f.launches = 2;
  CHECK(report({}, {f})["findings"][0]["launches"] == 2);
}

TEST_CASE("what is unknown is null, not missing") {
  sim::check::Finding f;
  f.kind = sim::check::Kind::api_misuse;
  f.message = "cudaFree was given a host pointer.";
  const json j = report({}, {f})["findings"][0];
  for (const char* key : {"file", "line", "kernel", "block", "thread", "address"}) {
    CAPTURE(key);
    CHECK(j.at(key) == nullptr);
  }
}

TEST_CASE("text that is not UTF-8 is replaced, and the report is still JSON") {
  sim::check::Finding f = missing_bounds_check("k\xff.cu");
  f.message = "the assertion `\xc3(` failed";
  CHECK(report({}, {f})["findings"][0]["kind"] == "out-of-bounds");
}
