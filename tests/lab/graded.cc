// A lab of its own, for tests of the grading main: MODE chooses what its checks, or the code they
// call, do. Linked with a device in host memory, so it says nothing about kernels.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "lab/grade.h"
#include "lab/todo.h"

namespace {

bool mode_is(const char* mode) { return std::string(std::getenv("MODE")) == mode; }

// What a learner's global object could see before main begins.
const bool record_was_visible =
    std::getenv("WARP_WEFT_RECORD") != nullptr || std::getenv("WARP_WEFT_NONCE") != nullptr;

void work() {
  if (mode_is("todo")) LAB_TODO("write it");
  if (mode_is("exit")) std::exit(0);
  if (mode_is("throw")) throw std::runtime_error("thrown by the learner");
  if (mode_is("throw int")) throw 42;
  lab::expect(!mode_is("wrong") && !mode_is("wrong, then abort"), "y[3] is 1, expected 2");
  lab::expect(!record_was_visible, "the environment still tells where the record goes");
  if (mode_is("past the end")) {
    lab::Buffer<float> y("y", 4);
    y.get()[4] = 1;
  }
}

}  // namespace

void lab::checks() {
  if (mode_is("no case")) return;
  lab::trial("first", [] {
    if (mode_is("todo")) work();
  });
  lab::trial("second", work);
  if (mode_is("wrong, then abort")) lab::trial("third", std::abort);
  lab::gate({.name = "a gate",
             .measured = mode_is("gate") ? 9.0 : 1.0,
             .limit = lab::at_most(4),
             .good = 1,
             .naive = 32,
             .from_counters = false});
}
