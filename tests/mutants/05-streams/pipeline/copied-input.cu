// Hands the input back.
// expect: n = 1, chunks of 256, 3 streams
#include "pipeline.h"

#include <algorithm>

void pipeline(int n, const float* in, float* out, float*, float*, int,
              const std::vector<cudaStream_t>&) {
  std::copy(in, in + n, out);
}
