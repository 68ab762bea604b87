// Prints a verdict of its own, and looks for the record to write it there too.
// expect: no-record
#include "saxpy.h"

#include "lab/lab.h"

#include <cstdio>
#include <cstdlib>

// Runs before main: early enough to find the path of the record, if it were still there.
static const char* const record = std::getenv("WARP_WEFT_RECORD");

void saxpy(int, float, const float*, float*) {
  std::puts("passed: 12 cases, 4 gates");
  if (record) {
    if (std::FILE* file = std::fopen(record, "w")) {
      std::fputs("{\"complete\": true, \"status\": \"passed\"}", file);
      std::fclose(file);
    }
  }
  std::_Exit(0);
}
