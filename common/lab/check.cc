#include "lab/check.h"

#include "lab/paths.h"

namespace lab {

void check_cuda(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  throw Failure(std::string(call) + " failed with " + cudaGetErrorName(error) + ": " +
                cudaGetErrorString(error) + "\n  at " + shown_path(file) + ":" +
                std::to_string(line));
}

}  // namespace lab
