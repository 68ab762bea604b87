#include "sim/runtime/error_text.h"

namespace sim::runtime {

ErrorText error_text(cudaError_t error) {
  switch (error) {
#define ERROR(name, sentence) \
  case name:                  \
    return {#name, sentence};
#include "sim/runtime/errors.def"
#undef ERROR
    default: return {"unrecognized error code", "unrecognized error code"};
  }
}

}  // namespace sim::runtime
