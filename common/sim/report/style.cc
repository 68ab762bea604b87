#include "sim/report/style.h"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace sim::report {

namespace fs = std::filesystem;

Style Style::for_output(int descriptor) {
  Style style;
  const char* no_colour = std::getenv("NO_COLOR");
  style.colour = isatty(descriptor) && !(no_colour && *no_colour);
  std::error_code error;
  style.directory = fs::current_path(error).string();
  return style;
}

std::string Style::paint(const char* code, std::string_view text) const {
  if (!colour) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string Style::path(const std::string& file) const { return tidy_path(file, directory); }

std::string tidy_path(const std::string& file, const std::string& directory) {
  const fs::path normal = fs::path(file).lexically_normal();
  if (!directory.empty() && normal.is_absolute()) {
    const fs::path relative = normal.lexically_relative(directory);
    if (!relative.empty() && *relative.begin() != "..") return relative.string();
  }
  return normal.string();
}

namespace {

std::string print(const char* format, double value) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

std::string number(double value) {
  if (value != std::floor(value) && value < 1e6) return print("%.2f", value);
  std::string digits = print("%.0f", value);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string short_number(double value) {
  if (value < 100'000) return value == std::floor(value) ? number(value) : print("%.1f", value);
  constexpr std::array<const char*, 5> units{"K", "M", "G", "T", "P"};
  std::size_t unit = 0;
  value /= 1000;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
  return print(value < 99.95 ? "%.1f" : "%.0f", value) + units[unit];
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return columns;
}

std::string clipped(std::string_view text, std::size_t columns) {
  std::string result;
  std::size_t used = 0;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (begins && used == columns) break;
    if (c == '\t') {
      do result += ' ';
      while (++used % 4 != 0 && used < columns);
      continue;
    }
    // Control characters in a source file must not reach the terminal.
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    used += begins;
  }
  return result;
}

std::string padded_left(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(columns > used ? columns - used : 0, ' ') + std::string(text);
}

std::string padded_right(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(text) + std::string(columns > used ? columns - used : 0, ' ');
}

std::string wrapped(std::string_view text, std::string_view indent) {
  std::string result(indent);
  std::size_t column = columns_of(indent);
  bool first = true;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    const std::size_t width = columns_of(word);
    if (!first && column + 1 + width > page_width) {
      result += "\n" + std::string(indent);
      column = columns_of(indent);
      first = true;
    }
    if (!first) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width;
    first = false;
  }
  return result + "\n";
}

}  // namespace sim::report
