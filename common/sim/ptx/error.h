// What is wrong with a PTX text, and where: shown with the line and a caret below the place.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sim::ptx {

// Everything about a mistake in PTX. what() is the whole message:
//
//   PTX line 12, column 16, in kernel _Z4saxpyPf: unknown register %f9
//       add.f32 %f1, %f9, %f2;
//                    ^
class Error : public std::runtime_error {
 public:
  // `at` points into `text`.
  Error(std::string_view text, const char* at, std::string_view function, std::string message);

  std::uint32_t line() const { return line_; }               // from 1
  std::uint32_t column() const { return column_; }           // from 1
  const std::string& message() const { return message_; }    // "unknown register %f9"
  const std::string& function() const { return function_; }  // empty outside functions

 private:
  struct Place;
  Error(const Place& place, std::string_view function, std::string message);

  std::uint32_t line_, column_;
  std::string function_, message_;
};

}  // namespace sim::ptx
