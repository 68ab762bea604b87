// Which line an instruction belongs to, when functions were inlined.
#include "sim/check/source.h"

#include <doctest/doctest.h>

using sim::check::is_toolkit_file;
using sim::check::Source;

namespace {

// starter.cu:20 calls scale(), which was inlined from tools.h:5, which calls __half2float of the
// toolkit, inlined as well.
sim::ir::Module inlined() {
  sim::ir::Module m;
  m.files = {"/home/ada/starter.cu", "/home/ada/tools.h", "/usr/local/cuda/include/cuda_fp16.hpp"};
  m.locations = {{0, 20, 3, -1}, {1, 5, 9, 0}, {2, 700, 1, 1}, {2, 701, 1, -1}};
  return m;
}

}  // namespace

TEST_CASE("files of the toolkit and the system are not the user's") {
  CHECK(is_toolkit_file("/usr/local/cuda-13.0/include/cooperative_groups.h"));
  CHECK(is_toolkit_file(
      "/home/ada/.venv/lib/python3.11/site-packages/nvidia/cu13/include/cuda_fp16.hpp"));
  CHECK(is_toolkit_file("/usr/include/c++/12/bits/stl_algo.h"));
  CHECK(!is_toolkit_file("/home/ada/lab/starter.cu"));
  CHECK(!is_toolkit_file("../chapters/01-programming-model/starter.cu"));
}

TEST_CASE("an instruction of the toolkit counts for the user's line that called it") {
  const sim::ir::Module m = inlined();
  const Source source(m);
  CHECK(source.line(2).file == "/home/ada/tools.h");
  CHECK(source.line(2).line == 5);
  CHECK(source.line(0).line == 20);
}

TEST_CASE("the chain goes from the user's innermost line outwards") {
  const sim::ir::Module m = inlined();
  const auto chain = Source(m).chain(2);
  REQUIRE(chain.size() == 2);
  CHECK(chain[0].line == 5);
  CHECK(chain[1].line == 20);
}

TEST_CASE("a toolkit line that nobody inlined is better than none") {
  const sim::ir::Module m = inlined();
  CHECK(Source(m).line(3).line == 701);
}

TEST_CASE("without line information there is no line") {
  const sim::ir::Module m = inlined();
  CHECK(Source(m).line(-1).file == "");
  CHECK(Source(m).chain(-1).empty());
}
