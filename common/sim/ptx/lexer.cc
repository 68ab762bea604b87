#include "sim/ptx/lexer.h"

#include <array>

namespace sim::ptx {

namespace {

// What a character may be part of. A table, because every byte of every module comes by here.
enum : std::uint8_t { blank = 1, letter = 2, digit = 4 };
constexpr std::array<std::uint8_t, 256> kinds = [] {
  std::array<std::uint8_t, 256> k{};
  for (const char c : {' ', '\t', '\r', '\n', '\f', '\v', '\0'})
    k[static_cast<unsigned char>(c)] = blank;
  for (int c = 'a'; c <= 'z'; ++c) k[static_cast<std::size_t>(c)] = letter;
  for (int c = 'A'; c <= 'Z'; ++c) k[static_cast<std::size_t>(c)] = letter;
  for (const char c : {'_', '$', '%'}) k[static_cast<unsigned char>(c)] = letter;
  for (int c = '0'; c <= '9'; ++c) k[static_cast<std::size_t>(c)] = digit;
  return k;
}();
bool is(char c, int kind) { return (kinds[static_cast<unsigned char>(c)] & kind) != 0; }

}  // namespace

bool Lexer::skip_blanks() {
  while (at_ != end_) {
    if (is(*at_, blank)) {
      line_ += *at_ == '\n';
      ++at_;
    } else if (*at_ == '/' && at_ + 1 != end_ && at_[1] == '/') {
      while (at_ != end_ && *at_ != '\n') ++at_;
    } else if (*at_ == '/' && at_ + 1 != end_ && at_[1] == '*') {
      const char* begin = at_;
      const std::uint32_t line = line_;
      at_ += 2;
      while (at_ + 1 < end_ && !(at_[0] == '*' && at_[1] == '/')) line_ += *at_++ == '\n';
      if (at_ + 1 >= end_) {
        at_ = begin;
        line_ = line;
        return false;
      }
      at_ += 2;
    } else {
      break;
    }
  }
  return true;
}

Token Lexer::take(Token::Kind kind, const char* begin) {
  return {kind, std::string_view(begin, static_cast<std::size_t>(at_ - begin)), line_};
}

Token Lexer::next() {
  if (!skip_blanks()) {
    const char* begin = at_;
    at_ = end_;
    return {Token::Kind::broken, std::string_view(begin, 2), line_};
  }
  const char* begin = at_;
  if (at_ == end_) return take(Token::Kind::end, begin);
  const char c = *at_++;
  if (is(c, letter)) {
    while (at_ != end_ && is(*at_, letter | digit)) ++at_;
    // A part of a special register belongs to its name.
    if (c == '%' && end_ - at_ >= 2 && at_[0] == '.' && is(at_[1], letter)) {
      ++at_;
      while (at_ != end_ && is(*at_, letter | digit)) ++at_;
    }
    return take(Token::Kind::word, begin);
  }
  if (c == '.' && at_ != end_ && is(*at_, letter)) {
    while (at_ != end_ && is(*at_, letter | digit)) ++at_;
    return take(Token::Kind::directive, begin);
  }
  if (is(c, digit) || (c == '.' && at_ != end_ && is(*at_, digit))) {
    while (at_ != end_ && (is(*at_, letter | digit) || *at_ == '.')) {
      // An exponent's sign, but not the + of [0x2e+4].
      const bool exponent = (*at_ == 'e' || *at_ == 'E') && end_ - at_ >= 3 &&
                            (at_[1] == '-' || at_[1] == '+') && is(at_[2], digit) &&
                            !(at_ - begin >= 2 && begin[0] == '0' && is(begin[1], letter));
      at_ += exponent ? 2 : 1;
    }
    return take(Token::Kind::number, begin);
  }
  if (c == '"') {
    while (at_ != end_ && *at_ != '"' && *at_ != '\n')
      at_ += *at_ == '\\' && end_ - at_ > 1 ? 2 : 1;
    if (at_ == end_ || *at_ != '"') return {Token::Kind::broken, std::string_view(begin, 1), line_};
    Token t = take(Token::Kind::string, begin + 1);
    ++at_;
    return t;
  }
  return take(Token::Kind::symbol, begin);
}

Token Lexer::with_suffixes(const Token& word) {
  while (at_ != end_) {
    if (is(*at_, letter | digit) || *at_ == '.') {
      ++at_;
    } else if (*at_ == ':' && at_ + 1 != end_ && at_[1] == ':') {
      at_ += 2;
    } else {
      break;
    }
  }
  return {Token::Kind::word, std::string_view(word.at(), static_cast<std::size_t>(at_ - word.at())),
          word.line};
}

bool Lexer::skip_braces() {
  for (std::uint32_t depth = 0; at_ != end_; ++at_) {
    line_ += *at_ == '\n';
    if (*at_ == '{') ++depth;
    if (*at_ == '}' && (depth == 0 || --depth == 0)) {
      ++at_;
      return true;
    }
  }
  return false;
}

bool Lexer::followed_by_colon() {
  const char* p = at_;
  while (p != end_ && (*p == ' ' || *p == '\t')) ++p;
  return p != end_ && *p == ':' && !(p + 1 != end_ && p[1] == ':');
}

}  // namespace sim::ptx
