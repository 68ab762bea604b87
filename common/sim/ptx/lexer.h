// PTX text to tokens. Names, numbers and punctuation are views of the text.
#pragma once

#include <cstdint>
#include <string_view>

namespace sim::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,       // letters, digits, _ $ %; special registers with their part: %tid.x
    directive,  // .reg, .b32: with the dot
    number,     // as written: 12, 0x1F, 0f3F800000, 1.5
    string,     // without the quotes, escapes as written
    symbol,     // one character
    broken,     // a string or comment that does not end
  };
  Kind kind = Kind::end;
  std::string_view text;
  std::uint32_t line = 0;

  const char* at() const { return text.data(); }
  bool is(char symbol) const { return kind == Kind::symbol && text[0] == symbol; }
  bool is_word(std::string_view word) const { return kind == Kind::word && text == word; }
  bool is_directive(std::string_view name) const { return kind == Kind::directive && text == name; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  Token next();
  // `word` was just read and opens an instruction: takes in its suffixes, as in ld.global.v4.f32.
  Token with_suffixes(const Token& word);
  // Skips everything up to the end of the next { }, without looking at what is inside.
  bool skip_braces();
  // Whether the very next character is `c` and not doubled: tells a label from shared::cta.
  bool followed_by_colon();

 private:
  bool skip_blanks();  // false: a comment does not end
  Token take(Token::Kind kind, const char* begin);

  const char* at_;
  const char* end_;
  std::uint32_t line_ = 1;
};

}  // namespace sim::ptx
