// Text to tokens.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/ptx/lexer.h"

using namespace sim::ptx;
using Kind = Token::Kind;

namespace {

std::vector<Token> all(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  do tokens.push_back(lexer.next());
  while (tokens.back().kind != Kind::end);
  return tokens;
}

}  // namespace

TEST_CASE("one token of each kind") {
  const struct {
    const char* text;
    Kind kind;
    const char* token;
  } rows[] = {
      {"%r12", Kind::word, "%r12"},
      {"_Z3addPf", Kind::word, "_Z3addPf"},
      {"$L__BB0_1", Kind::word, "$L__BB0_1"},
      {"_", Kind::word, "_"},
      {"%tid.x", Kind::word, "%tid.x"},
      {".visible", Kind::directive, ".visible"},
      {"42", Kind::number, "42"},
      {"0x1fU", Kind::number, "0x1fU"},
      {"0f3F800000", Kind::number, "0f3F800000"},
      {"0d3FF0000000000000", Kind::number, "0d3FF0000000000000"},
      {"1.5e-3", Kind::number, "1.5e-3"},
      {".5", Kind::number, ".5"},
      {"\"a\\\"b;}{\"", Kind::string, "a\\\"b;}{"},
      {"\"\"", Kind::string, ""},
      {"|", Kind::symbol, "|"},
      {"#", Kind::symbol, "#"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const auto tokens = all(row.text);
    REQUIRE(tokens.size() == 2);
    CHECK(tokens[0].kind == row.kind);
    CHECK(tokens[0].text == row.token);
  }
}

TEST_CASE("a hexadecimal number that ends in e is not an exponent") {
  const auto tokens = all("[0x2e+4]");
  REQUIRE(tokens.size() == 6);
  CHECK(tokens[1].text == "0x2e");
  CHECK(tokens[2].is('+'));
  CHECK(tokens[3].text == "4");
}

TEST_CASE("comments and blanks count lines and nothing else") {
  const auto tokens = all("a // b\n/* c\nd */ e\n\n\tf");
  REQUIRE(tokens.size() == 4);
  CHECK(tokens[0].line == 1);
  CHECK(tokens[1].text == "e");
  CHECK(tokens[1].line == 3);
  CHECK(tokens[2].text == "f");
  CHECK(tokens[2].line == 5);
}

TEST_CASE("strings and comments that do not end are broken tokens, and the text ends after them") {
  for (const char* text : {"\"abc", "\"abc\\", "\"abc\ndef\"", "/* abc", "/*", "/*/"}) {
    CAPTURE(text);
    Lexer lexer(text);
    CHECK(lexer.next().kind == Kind::broken);
  }
  CHECK(all("/* abc").size() == 2);
}

TEST_CASE("an instruction takes in its suffixes") {
  Lexer lexer("ld.global.L2::128B.v4.f32 {%f1");
  const Token word = lexer.next();
  CHECK(word.text == "ld");
  CHECK(lexer.with_suffixes(word).text == "ld.global.L2::128B.v4.f32");
  CHECK(lexer.next().is('{'));
}

TEST_CASE("a label is a word before a single colon") {
  const struct {
    const char* text;
    bool is_label;
  } rows[] = {{"done:", true}, {"done :", true}, {"st::async", false}, {"done", false}};
  for (const auto& row : rows) {
    CAPTURE(row.text);
    Lexer lexer(row.text);
    lexer.next();
    CHECK(lexer.followed_by_colon() == row.is_label);
  }
}
