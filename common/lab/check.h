// The error check: every CUDA call that can fail goes through it.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace lab {

// Ends the case that is running; its text is what the learner reads.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws a Failure that names the call, the place and CUDA's own words, unless `error` is success.
void check_cuda(cudaError_t error, const char* call, const char* file, int line);

}  // namespace lab

#define LAB_CUDA(call) ::lab::check_cuda((call), #call, __FILE__, __LINE__)
