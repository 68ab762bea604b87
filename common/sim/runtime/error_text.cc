#include "sim/runtime/error_text.h"

namespace sim::runtime {

ErrorText error_text(cudaError_t error) {
  switch (error) {
#define ERROR(name, sentence) \
  case name: return {#name, sentence};
    ERROR(cudaSuccess, "no error")
    ERROR(cudaErrorInvalidValue, "invalid argument")
    ERROR(cudaErrorMemoryAllocation, "out of memory")
    ERROR(cudaErrorInitializationError, "initialization error")
    ERROR(cudaErrorCudartUnloading, "driver shutting down")
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument")
    ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument")
    ERROR(cudaErrorInvalidSymbol, "invalid device symbol")
    ERROR(cudaErrorInvalidHostPointer, "invalid host pointer")
    ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer")
    ERROR(cudaErrorInvalidTexture, "invalid texture reference")
    ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")
    ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured")
    ERROR(cudaErrorInvalidDeviceFunction, "invalid device function")
    ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected")
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal")
    ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid")
    ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture")
    ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device")
    ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle")
    ERROR(cudaErrorNotReady, "device not ready")
    ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered")
    ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch")
    ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated")
    ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped")
    ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region")
    ERROR(cudaErrorAssert, "device-side assert triggered")
    ERROR(cudaErrorHardwareStackError, "hardware stack error")
    ERROR(cudaErrorMisalignedAddress, "misaligned address")
    ERROR(cudaErrorLaunchFailure, "unspecified launch failure")
    ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")
    ERROR(cudaErrorNotSupported, "operation not supported")
    ERROR(cudaErrorUnknown, "unknown error")
#undef ERROR
    default: return {"unrecognized error code", "unrecognized error code"};
  }
}

}  // namespace sim::runtime
