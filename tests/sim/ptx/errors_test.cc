// What is said about text that is no PTX: the place, the line and a caret.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/ptx/parser.h"

using namespace sim::ptx;

namespace {

const std::string header = ".version 9.0\n.target sm_80\n.address_size 64\n";

// The error that this text causes; a sound text fails the test.
Error error(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& e) {
    return e;
  }
  FAIL("no error in: " << text);
  throw std::logic_error("unreachable");
}

}  // namespace

TEST_CASE("a message shows place, function, line and caret") {
  const Error e = error(header + ".entry saxpy()\n{\n\tadd.s32 \t%r1, %r2 %r3;\n}\n");
  CHECK(e.line() == 6);
  CHECK(e.column() == 20);
  CHECK(e.function() == "saxpy");
  CHECK(std::string(e.what()) ==
        "PTX line 6, column 20, in saxpy: expected ',' or ';', but found '%r3'\n"
        "    add.s32  %r1, %r2 %r3;\n"
        "                      ^");
}

TEST_CASE("the caret stands below its place in a line too long to show") {
  const std::string names(400, 'x');
  const Error e = error(header + ".entry k() {\n add.s32 " + names + ", 1 2, " + names + ";\n}");
  const std::string what = e.what();
  const std::size_t source = what.find('\n') + 1, caret = what.find('\n', source) + 1;
  const std::string line = what.substr(source, caret - source - 1), below = what.substr(caret);
  CHECK(line.size() < 120);
  CHECK(below.find('^') == below.size() - 1);
  CHECK(line.at(below.size() - 1) == '2');
}

TEST_CASE("what each mistake is called") {
  const struct {
    const char* text;
    const char* message;
  } rows[] = {
      {".entry k() { add.s32 %r1, ; }", "expected an operand, but found ';'"},
      {".entry k() { add.s32 %r1, %r2", "expected ',' or ';', but the text ends"},
      {".entry k() { ret; ", "expected an instruction, a label or '}', but the text ends"},
      {".entry k() { 5; }", "expected an instruction, a label or '}', but found '5'"},
      {".entry k() { @%p1 ; }", "expected an instruction, but found ';'"},
      {".entry k() { mov.u32 %r1, 99999999999999999999; }",
       "'99999999999999999999' is not a number"},
      {".entry k() { mov.f32 %f1, 0f3F80; }", "'0f3F80' is not a number"},
      {".entry k() { mov.u32 %r1, 08; }", "'08' is not a number"},
      {".entry k() { ld.u32 %r1, [[%rd1]]; }",
       "an address is a register or a variable, with an optional offset"},
      {".entry k() { .reg .b33 %r<4>; }", "expected a type such as .b32, but found '.b33'"},
      {".entry k() { .reg .b32 %r<0>; }", "a register range must not be empty"},
      {".entry k() { .frame 4; }", "'.frame' is not known in a function's body"},
      {".entry k(.param .b32 a, ) { }", "expected '.param', but found ')'"},
      {".func f(.reg .b32 a) { }", "parameters in registers are not supported; use .param"},
      {".entry k() .fast { }", "'.fast' is not known before a function's body"},
      {".entry { }", "expected the function's name, but found '{'"},
      {".global .align 3 .b8 x;", "an alignment is a power of two up to 1024"},
      {".global .b8 x[99999999999999];", "this array is larger than any device's memory"},
      {".global .b32 x[2] = {1, 2, 3};", "3 initial values for 2 elements of x"},
      {".global .u64 x = 0xFF1(y);", "a mask selects one byte, such as 0xFF00"},
      {".global .b1 x[2] = {1, 0};", "a variable in memory has a type of whole bytes"},
      {".shared .pred p;", "a variable in memory has a type of whole bytes"},
      {".global .b32 x", "expected ';', but the text ends"},
      {".constant .b32 x;", "'.constant' is not known here"},
      {"hello", "expected a directive such as .entry, .func or .global, but found 'hello'"},
      {".file 1 \"a.cu", "this string does not end"},
      {".section .debug_str { .b8 1", "this section does not end"},
      {"/* a comment", "this comment does not end"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(error(header + row.text).message() == row.message);
  }
}

TEST_CASE("a header is asked for") {
  CHECK(error("").message() == "expected '.version', but the text ends");
  CHECK(error("int main() {}").message() == "expected '.version', but found 'int'");
  CHECK(error(".version 9").message() == "expected a version such as 9.0");
  CHECK(error(".version 9.0\n.address_size 32").message() ==
        "only 64-bit addresses exist here; compile with -m64");
}

TEST_CASE("what is nested without end is refused") {
  const std::string deep(100000, '{');
  CHECK(error(header + ".entry k() { mov.b64 " + deep).message() ==
        "operands are nested too deeply");
  CHECK(error(header + ".global .b8 x[] = " + deep).message() == "braces are nested too deeply");
  CHECK(error(header + ".entry k() { ld.u32 %r1, " + std::string(100000, '[')).message() ==
        "operands are nested too deeply");
  CHECK(error(header + ".entry k() " + deep).message() == "scopes are nested too deeply");
}

TEST_CASE("a text that ends anywhere is an error or a shorter text") {
  const std::string text = header + R"(
    .global .align 8 .u64 a[2] = {generic(b)+4, 0x10};
    .entry k(.param .u64 k_param_0) .maxntid 32 {
      .reg .b32 %r<3>;
      .loc 1 2 3, function_name $L0, inlined_at 1 4 5
      @!%p1 ld.global.v2.u32 {%r1, _}, [%rd1+-4]; // here
      $T: .branchtargets $L1, $L2;
      { .param .b32 p0; call (p0), f, (p0), proto; }
      proto: .callprototype (.param .b32 _) _ ();
    })";
  std::size_t errors = 0;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    try {
      parse(cut);
    } catch (const Error& e) {
      ++errors;
      const auto lines = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '\n')) + 1;
      CHECK(e.line() <= lines);
    }
  }
  CHECK(errors > text.size() / 2);
}
