// How the text report is written: width, colours, numbers, paths. Small things that all its parts
// share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sim::report {

inline constexpr std::size_t page_width = 100;

struct Style {
  bool colour = false;
  std::string directory;  // paths below it are shown relative to it

  // For a file descriptor: colours on a terminal, unless NO_COLOR is set; the working directory.
  static Style for_output(int descriptor);

  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string red(std::string_view text) const { return paint("1;31", text); }
  std::string blue(std::string_view text) const { return paint("1;34", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string path(const std::string& file) const;

 private:
  std::string paint(const char* code, std::string_view text) const;
};

// "../a/./b.cu" without detours; below `directory`, relative to it.
std::string tidy_path(const std::string& file, const std::string& directory);

// 1,234,567 or 3.25: whole numbers whole, others with two decimals.
std::string number(double value);
// At most six characters: 12,345, then 123K, 12.3M.
std::string short_number(double value);

// Words of `text` in lines that fit the page, each begun with `indent`.
std::string wrapped(std::string_view text, std::string_view indent);

// The first `columns` characters (not bytes) of a UTF-8 text, tabs as spaces.
std::string clipped(std::string_view text, std::size_t columns);
std::size_t columns_of(std::string_view text);
std::string padded_left(std::string_view text, std::size_t columns);
std::string padded_right(std::string_view text, std::size_t columns);

}  // namespace sim::report
