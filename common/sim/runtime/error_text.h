// Names and sentences of CUDA's errors, as the real runtime gives them.
#pragma once

#include <cuda_runtime_api.h>

namespace sim::runtime {

struct ErrorText {
  const char* name;
  const char* sentence;
};
ErrorText error_text(cudaError_t error);

}  // namespace sim::runtime
