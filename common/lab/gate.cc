#include "lab/gate.h"

#include <cstdio>

namespace lab {
namespace {

std::string number(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", value);
  return digits;
}

bool meets(double measured, Limit limit) {
  switch (limit.comparison) {
    case Comparison::at_most: return measured <= limit.value;
    case Comparison::at_least: return measured >= limit.value;
    case Comparison::exactly: return measured == limit.value;
  }
  return false;
}

const char* sign(Comparison comparison) {
  switch (comparison) {
    case Comparison::at_most: return "<=";
    case Comparison::at_least: return ">=";
    case Comparison::exactly: return "==";
  }
  return "";
}

const char* words(Comparison comparison) {
  switch (comparison) {
    case Comparison::at_most: return "at most ";
    case Comparison::at_least: return "at least ";
    case Comparison::exactly: return "exactly ";
  }
  return "";
}

std::string with(double value, const std::string& when) {
  return number(value) + (when.empty() ? "" : " " + when);
}

}  // namespace

GateRecord judge(const Gate& gate, bool device_counts) {
  GateRecord record{.name = gate.name,
                    .passed = false,
                    .measured = gate.measured,
                    .limit = gate.limit.value,
                    .comparison = sign(gate.limit.comparison),
                    .naive = gate.naive,
                    .text = ""};
  std::string now;
  if (gate.measured) {
    record.passed = meets(*gate.measured, gate.limit);
    now = number(*gate.measured) + " now";
  } else if (gate.from_counters && !device_counts) {
    record.passed = true;  // the simulated GPU is where this gate is judged
    now = "not measured on this device";
  } else {
    now = "nothing to measure now: no kernel did this";
  }
  record.text = gate.name + ": " + now + "; " + with(gate.good, gate.good_when) + "; the gate is " +
                words(gate.limit.comparison) + number(gate.limit.value) +
                "; the naive version measures " + with(gate.naive, gate.naive_when) + ".";
  if (!record.passed && !gate.advice.empty()) record.text += "\n" + gate.advice;
  return record;
}

}  // namespace lab
