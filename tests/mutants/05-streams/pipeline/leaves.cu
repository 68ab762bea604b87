// Ends the program before anybody can look.
// expect: no-record
#include "pipeline.h"

#include <cstdlib>

void pipeline(int, const float*, float*, float*, float*, int, const std::vector<cudaStream_t>&) {
  std::exit(0);
}
