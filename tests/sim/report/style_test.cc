// Numbers, widths and paths of the text report.
#include "sim/report/style.h"

#include <doctest/doctest.h>

using namespace sim::report;

TEST_CASE("whole numbers are whole and grouped, others have two decimals") {
  CHECK(number(0) == "0");
  CHECK(number(999) == "999");
  CHECK(number(1000) == "1,000");
  CHECK(number(1234567) == "1,234,567");
  CHECK(number(-1234) == "-1,234");
  CHECK(number(2.5) == "2.50");
}

TEST_CASE("numbers in the margin take at most six characters") {
  CHECK(short_number(99'999) == "99,999");
  CHECK(short_number(100'000) == "100K");
  CHECK(short_number(1'234'567) == "1.2M");
  CHECK(short_number(999'600'000) == "1.0G");
  CHECK(short_number(12.34) == "12.3");
  for (double value = 1; value < 1e17; value *= 1.7) CHECK(columns_of(short_number(value)) <= 7);
}

TEST_CASE("paths below the working directory are relative to it") {
  CHECK(tidy_path("/home/ada/lab/../lab/starter.cu", "/home/ada") == "lab/starter.cu");
  CHECK(tidy_path("/home/bob/starter.cu", "/home/ada") == "/home/bob/starter.cu");
  CHECK(tidy_path("/home/ada2/starter.cu", "/home/ada") == "/home/ada2/starter.cu");
  CHECK(tidy_path("/home/ada/starter.cu", "") == "/home/ada/starter.cu");
}

TEST_CASE("text wraps at words, within the page") {
  const std::string text(
      "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
      "sixteen seventeen eighteen nineteen twenty");
  CHECK(
      wrapped(text, "  ") ==
      "  one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
      "sixteen\n  seventeen eighteen nineteen twenty\n");
  CHECK(wrapped("", "  ") == "  \n");
}

TEST_CASE("clipping counts characters, not bytes, and lets no control character through") {
  CHECK(clipped("größer", 4) == "größ");
  CHECK(clipped("\tx", 8) == "    x");
  CHECK(clipped("a\x1b[31mb", 20) == "a [31mb");
}

TEST_CASE("without colours there are no escape sequences") {
  Style plain;
  CHECK(plain.red("x") == "x");
  plain.colour = true;
  CHECK(plain.red("x") == "\x1b[1;31mx\x1b[0m");
}
