// Gates: the limit, the counterfactual in the text, and what cannot be measured.
#include "lab/gate.h"

#include <doctest/doctest.h>

#include <limits>

namespace {

lab::Gate sectors(std::optional<double> measured) {
  return {.name = "sectors per load request",
          .measured = measured,
          .limit = lab::at_most(4.5),
          .good = 4,
          .good_when = "when coalesced",
          .naive = 32,
          .naive_when = "with a stride",
          .advice = "Let threadIdx.x run along the array."};
}

}  // namespace

TEST_CASE("a gate that is met states what was measured and its counterfactual") {
  auto record = lab::judge(sectors(4), true);
  CHECK(record.passed);
  CHECK(record.text ==
        "sectors per load request: 4 now; 4 when coalesced; the gate is at most 4.5; the naive "
        "version measures 32 with a stride.");
}

TEST_CASE("a gate that is not met adds the advice") {
  auto record = lab::judge(sectors(32), true);
  CHECK_FALSE(record.passed);
  CHECK(record.text.find("32 now") != std::string::npos);
  CHECK(record.text.find("Let threadIdx.x run along") != std::string::npos);
}

TEST_CASE("each comparison at its limit") {
  auto passes = [](lab::Limit limit, double measured) {
    return lab::judge({.name = "x", .measured = measured, .limit = limit}, true).passed;
  };
  CHECK(passes(lab::at_most(2), 2));
  CHECK_FALSE(passes(lab::at_most(2), 2.1));
  CHECK(passes(lab::at_least(2), 2));
  CHECK_FALSE(passes(lab::at_least(2), 1.9));
  CHECK(passes(lab::exactly(2), 2));
  CHECK_FALSE(passes(lab::exactly(2), 1));
  CHECK_FALSE(passes(lab::at_most(2), std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("nothing measured fails where the device counts: no kernel did the work") {
  CHECK_FALSE(lab::judge(sectors(std::nullopt), true).passed);
}

TEST_CASE("nothing measured is said, and is no failure, where the device cannot count") {
  auto record = lab::judge(sectors(std::nullopt), false);
  CHECK(record.passed);
  CHECK(record.text.find("not measured on this device") != std::string::npos);
}

TEST_CASE("a device that cannot count does not excuse a gate that needs no counters") {
  lab::Gate gate = sectors(std::nullopt);
  gate.from_counters = false;
  CHECK_FALSE(lab::judge(gate, false).passed);
}
