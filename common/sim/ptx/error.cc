#include "sim/ptx/error.h"

#include <algorithm>

namespace sim::ptx {

namespace {

// Tabs and control characters would put the caret beside its place.
std::string printable(std::string_view line) {
  std::string out(line);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return out;
}

}  // namespace

struct Error::Place {
  std::uint32_t line = 1, column = 1;
  std::string excerpt;  // the source line and the caret

  Place(std::string_view text, const char* at) {
    const auto offset = std::min(static_cast<std::size_t>(at - text.data()), text.size());
    const std::string_view before = text.substr(0, offset);
    line += static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t newline = before.rfind('\n');
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t end = std::min(text.find('\n', offset), text.size());
    column += static_cast<std::uint32_t>(offset - begin);

    // Of a very long line, show the part around the place.
    constexpr std::size_t most = 100;
    const std::size_t indent = text.substr(begin, offset - begin).find_first_not_of(" \t");
    std::size_t from = begin + (indent == std::string_view::npos ? 0 : indent);
    if (offset - from > most / 2) from = offset - most / 2;
    const std::size_t to = std::min(end, from + most);
    excerpt = "    " + printable(text.substr(from, to - from)) + "\n    " +
              std::string(offset - from, ' ') + "^";
  }
};

Error::Error(std::string_view text, const char* at, std::string_view function, std::string message)
    : Error(Place(text, at), function, std::move(message)) {}

Error::Error(const Place& place, std::string_view function, std::string message)
    : std::runtime_error("PTX line " + std::to_string(place.line) + ", column " +
                         std::to_string(place.column) +
                         (function.empty() ? "" : ", in " + std::string(function)) + ": " +
                         message + "\n" + place.excerpt),
      line_(place.line),
      column_(place.column),
      function_(function),
      message_(std::move(message)) {}

}  // namespace sim::ptx
