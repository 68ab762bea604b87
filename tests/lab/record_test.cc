// The record: when it says "passed", and what stands in it.
#include "lab/record.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace {

lab::Record passed() {
  lab::Record record;
  record.nonce = "abc";
  record.cases = {{"n = 33", true, ""}};
  record.gates = {{.name = "g",
                   .passed = true,
                   .measured = 4,
                   .limit = 4.5,
                   .comparison = "<=",
                   .naive = 32,
                   .text = "t"}};
  return record;
}

}  // namespace

TEST_CASE("all cases and gates passed: a point for each") {
  CHECK(passed().status() == "passed");
  CHECK(passed().points() == 2);
}

TEST_CASE("a gate that was not measured fails nothing, and earns nothing") {
  lab::Record record = passed();
  record.gates[0].measured = std::nullopt;
  CHECK(record.status() == "passed");
  CHECK(record.points() == 1);
}

TEST_CASE("no case at all is a failure") {
  lab::Record record = passed();
  record.cases.clear();
  CHECK(record.status() == "failed");
  CHECK(record.points() == 0);
}

TEST_CASE("one failing case, or one gate that is not met, is a failure") {
  lab::Record record = passed();
  record.cases.push_back({"n = 0", false, "wrong"});
  CHECK(record.status() == "failed");
  record = passed();
  record.gates[0].passed = false;
  CHECK(record.status() == "failed");
  CHECK(record.points() == 0);
}

TEST_CASE("a LAB_TODO makes it not started, whatever else is there") {
  lab::Record record = passed();
  record.not_started = "starter.cu:16: still to do";
  CHECK(record.status() == "not started");
  CHECK(record.points() == 0);
}

TEST_CASE("the JSON ends with its mark of completeness and echoes the nonce") {
  auto json = nlohmann::ordered_json::parse(passed().json());
  CHECK(json["nonce"] == "abc");
  CHECK(json["complete"] == true);
  CHECK(std::prev(json.end()).key() == "complete");
  CHECK(json["gates"][0]["measured"] == 4);
}

TEST_CASE("what was not measured is null") {
  lab::Record record = passed();
  record.gates[0].measured.reset();
  CHECK(nlohmann::json::parse(record.json())["gates"][0]["measured"].is_null());
}

TEST_CASE("a text that is no UTF-8 does not cost the record") {
  lab::Record record = passed();
  record.cases[0].message = "\xff broken";
  CHECK(nlohmann::json::parse(record.json())["cases"].size() == 1);
}

TEST_CASE("a finding keeps where it was and in which case") {
  lab::Record record = passed();
  record.findings = {{{.kind = "out-of-bounds",
                       .severity = "error",
                       .message = "m",
                       .file = "../a/starter.cu",
                       .line = 14,
                       .kernel = "k",
                       .block = profile::Place{0, 0, 0},
                       .thread = profile::Place{33, 0, 0}},
                      "n = 33"}};
  auto finding = nlohmann::json::parse(record.json())["findings"][0];
  CHECK(finding["file"] == "a/starter.cu");
  CHECK(finding["thread"] == nlohmann::json{33, 0, 0});
  CHECK(finding["case"] == "n = 33");
  CHECK(finding["address"].is_null());
}
