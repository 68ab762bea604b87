// Cases, the record they fill, and the main that calls a lab's checks.
//
// Order matters for honesty: the environment is emptied by the first constructor of the process,
// before any code of the learner; the record is written by the last statement of main.
#include "lab/grade.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lab/paths.h"
#include "lab/record.h"
#include "lab/todo.h"

namespace lab {
namespace {

struct NotStarted {
  std::string text;
};

// Fixed arrays, because this is filled before constructors of other objects have run.
struct Secrets {
  char record_path[4096];
  char nonce[256];
};
Secrets secrets;

// Copies a variable and removes it, its old bytes included.
void take(const char* name, char* to, std::size_t size) {
  char* value = std::getenv(name);
  if (!value) return;
  std::snprintf(to, size, "%s", value);
  std::memset(value, 0, std::strlen(value));
  unsetenv(name);
}

// 101 is the earliest priority that a program may use; a learner's objects have the default one.
__attribute__((constructor(101))) void take_secrets() {
  take("WARP_WEFT_RECORD", secrets.record_path, sizeof secrets.record_path);
  take("WARP_WEFT_NONCE", secrets.nonce, sizeof secrets.nonce);
}

Record record;

std::string at(const profile::Place& place) {
  if (place.y == 0 && place.z == 0) return std::to_string(place.x);
  return "(" + std::to_string(place.x) + ", " + std::to_string(place.y) + ", " +
         std::to_string(place.z) + ")";
}

std::string describe(const profile::Finding& finding, const Hints& hints) {
  std::string text = finding.kind + ": " + finding.message;
  std::string where;
  if (!finding.file.empty()) where = shown_path(finding.file) + ":" + std::to_string(finding.line);
  auto add = [&where](const std::string& part) { where += (where.empty() ? "" : ", ") + part; };
  if (!finding.kernel.empty()) add("kernel " + finding.kernel);
  if (finding.block) add("block " + at(*finding.block));
  if (finding.thread) add("thread " + at(*finding.thread));
  if (!where.empty()) text += "\n  at " + where;
  if (finding.address)
    if (std::string element = explain_address(*finding.address); !element.empty())
      text += "\n  the address is that of " + element;
  if (finding.occurrences > 1)
    text += "\n  the same happened " + std::to_string(finding.occurrences) + " times in all";
  if (auto hint = hints.find(finding.kind); hint != hints.end())
    text += "\n" + hint->second;
  else if (!finding.advice.empty())
    text += "\n" + finding.advice;
  return text;
}

// What is wrong after a case, the cause before its symptoms: findings, then results, then errors
// that nobody asked for.
std::string verdict(const profile::Report& report, const std::string& thrown,
                    const std::string& left_over, const Hints& hints) {
  std::string text;
  std::size_t more = 0;
  for (const profile::Finding& finding : report.findings) {
    if (finding.severity != "error") continue;
    if (text.empty())
      text = describe(finding, hints);
    else
      ++more;
  }
  if (more)
    text += "\n(and " + std::to_string(more) + (more == 1 ? " more finding" : " more findings") +
            " after it)";
  if (text.empty() && !thrown.empty())
    text = thrown + "\n(inputs of seed " + std::to_string(seed()) +
           "; WARP_WEFT_SEED=" + std::to_string(seed()) + " repeats them)";
  if (text.empty()) text = left_over;
  return text;
}

// An error that outlives being asked for is sticky: only a reset makes the next case a fair one.
std::string clear_errors() {
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error == cudaSuccess) return "";
  cudaGetLastError();
  if (cudaDeviceSynchronize() != cudaSuccess) cudaDeviceReset();
  cudaGetLastError();
  return std::string("a CUDA call failed and nobody asked: ") + cudaGetErrorName(error) + ", " +
         cudaGetErrorString(error) +
         ".\nLook at what cudaGetLastError() returns right after each launch.";
}

}  // namespace

void todo(const char* what, const char* file, int line) {
  const char* force = std::getenv("WARP_WEFT_FORCE");
  if (force && std::strcmp(force, "1") == 0) return;
  throw NotStarted{shown_path(file) + ":" + std::to_string(line) + ": still to do: " + what};
}

std::vector<int> sizes() { return {0, 1, 31, 32, 33, 255, 256, 257, 1000, 4096, 5003}; }

profile::Report trial(const std::string& name, const std::function<void()>& body,
                      const Hints& hints) {
  forget_buffers();
  profile::Region region;
  std::string thrown;
  try {
    body();
  } catch (const NotStarted& unfinished) {
    if (record.cases.empty()) throw;
    thrown = unfinished.text + "\nOne LAB_TODO is done and this one is not.";
  } catch (const std::exception& error) {
    thrown = error.what();
    if (thrown.empty()) thrown = "an exception without a text ended the case";
  } catch (...) {
    thrown = "your code threw something that is no std::exception";
  }
  profile::Report report = region.end();
  if (std::string damage = guard_damage(); !damage.empty())
    report.findings.push_back({.kind = "out-of-bounds", .severity = "error", .message = damage});
  std::string message = verdict(report, thrown, clear_errors(), hints);
  // A later case may hang or crash, and then this is all that is left to tell.
  const bool first = std::ranges::all_of(record.cases, &CaseRecord::passed);
  if (first && !message.empty() && secrets.record_path[0]) {
    std::printf("case \"%s\" failed\n%s\n", name.c_str(), message.c_str());
    std::fflush(stdout);
  }
  record.cases.push_back({name, message.empty(), message});
  for (const profile::Finding& finding : report.findings)
    record.findings.push_back({finding, name});
  return report;
}

void refused_launch(const std::function<void()>& body) {
  if (!profile::fail_launch(0)) return;
  trial("a launch is refused", [&] {
    bool told = false;
    profile::fail_launch(1);
    try {
      body();
    } catch (const std::exception&) {
      told = true;
    }
    profile::fail_launch(0);
    cudaGetLastError();  // the refusal, if nobody asked for it
    expect(told,
           "the device refused the launch, and your function returned as if all had gone well.\n"
           "A launch returns nothing: put LAB_CUDA(cudaGetLastError()) after it.");
  });
}

void gate(const Gate& gate) { record.gates.push_back(judge(gate, profile::can_count())); }

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string device_name() {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "none";
  return properties.name;
}

void print_record() {
  for (const CaseRecord& entry : record.cases)
    if (!entry.passed)
      std::printf("case \"%s\" failed\n%s\n\n", entry.name.c_str(), entry.message.c_str());
  for (const GateRecord& entry : record.gates)
    std::printf("%s  %s\n",
                !entry.passed    ? "NOT MET"
                : entry.measured ? "met    "
                                 : "-      ",
                entry.text.c_str());
  if (!record.not_started.empty()) std::printf("%s\n", record.not_started.c_str());
  std::printf("%s: %zu cases, %zu gates\n", record.status().c_str(), record.cases.size(),
              record.gates.size());
}

int grade() {
  record.nonce = secrets.nonce;
  record.lab = variable("WARP_WEFT_LAB");
  record.variant = variable("WARP_WEFT_VARIANT");
  record.device = device_name();
  record.seed = seed();
  record.checks_memory = profile::checks_memory();
  profile::take_over_reporting();
  try {
    checks();
  } catch (const NotStarted& unfinished) {
    record.not_started = unfinished.text;
  } catch (const std::exception& error) {
    record.cases.push_back({"the checks", false, error.what()});
  }
  if (secrets.record_path[0])
    record.write(secrets.record_path);
  else
    print_record();  // run by hand
  if (record.status() == "passed") return 0;
  return record.status() == "not started" ? 77 : 1;
}

}  // namespace
}  // namespace lab

int main() { return lab::grade(); }
