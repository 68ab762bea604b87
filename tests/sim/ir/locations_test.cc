// Which line of the source each instruction belongs to.
#include "module.h"

using namespace sim::ir;
using namespace ir_tests;

namespace {

const std::string files = ".file 1 \"main.cu\"\n.file 2 \"helper.h\"\n";
const std::string work = "add.s32 %r1, %r1, 1;";

// "main.cu:12", or "helper.h:3 < main.cu:14" where it was inlined
std::string where(const Loaded& m, const Instruction& i) {
  std::string text;
  for (std::int32_t at = i.location; at >= 0;) {
    const Location& l = m.module->locations[static_cast<std::size_t>(at)];
    text += (text.empty() ? "" : " < ") + m.module->files[static_cast<std::size_t>(l.file)] + ":" +
            std::to_string(l.line);
    at = l.inlined_at;
  }
  return text;
}

std::vector<std::string> lines(const std::string& statements) {
  const Loaded m = load(files + kernel_text(statements));
  std::vector<std::string> result;
  for (const Instruction& i : m.kernel().code) result.push_back(where(m, i));
  return result;
}
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("an instruction has the line of the last .loc") {
  CHECK(lines(".loc 1 5 3\n" + work + work + ".loc 2 7 1\n ret;") ==
        Lines{"main.cu:5", "main.cu:5", "helper.h:7"});
}

TEST_CASE("line 0 stands for the last real line") {
  CHECK(lines(".loc 1 5 3\n" + work + ".loc 1 0 0\n" + work + "ret;") ==
        Lines{"main.cu:5", "main.cu:5", "main.cu:5"});
}

TEST_CASE("code before the first real line counts for that line") {
  CHECK(lines(work + ".loc 1 0 0\n" + work + ".loc 1 9 1\n ret;") ==
        Lines{"main.cu:9", "main.cu:9", "main.cu:9"});
}

TEST_CASE("an inlined line knows where it was called, and so on outwards") {
  const std::string text = ".loc 1 20 1\n" + work +
                           ".loc 2 7 9, function_name $L__info_string0, inlined_at 1 20 1\n" +
                           work + ".loc 2 3 2, function_name $L__info_string1, inlined_at 2 7 9\n" +
                           work + ".loc 1 21 1\n ret;";
  CHECK(lines(text) == Lines{"main.cu:20", "helper.h:7 < main.cu:20",
                             "helper.h:3 < helper.h:7 < main.cu:20", "main.cu:21"});
}

TEST_CASE("without lines there are none") {
  const Loaded m = body(work + "ret;");
  CHECK(m.kernel().code[0].location == -1);
  CHECK(m.kernel().code[0].ptx_line > 0);
}

TEST_CASE("equal places are stored once") {
  const Loaded m = load(
      files + kernel_text(".loc 1 5 3\n" + work + ".loc 1 6 3\n" + work + ".loc 1 5 3\n ret;"));
  CHECK(m.module->locations.size() == 2);
}
