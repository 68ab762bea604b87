// Libraries: code that the program loads itself, from memory or from a file, and its kernels.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/runtime/api.h"
#include "sim/runtime/fatbin.h"
#include "sim/runtime/unsupported.h"

namespace sim::runtime {

namespace {

Code* as_code(cudaLibrary_t library) { return reinterpret_cast<Code*>(library); }

// What `code` points to: PTX text, a fat binary, or the wrapper that nvcc puts around one.
cudaError_t image_of(const void* code, std::string& image) {
  constexpr std::uint32_t wrapper_magic = 0x466243b1, elf_magic = 0x464c457f;
  std::uint32_t magic = 0;
  std::memcpy(&magic, code, std::min(std::strlen(static_cast<const char*>(code)), sizeof magic));
  if (magic == wrapper_magic) {
    std::memcpy(&code, static_cast<const std::byte*>(code) + 8, sizeof code);
    std::memcpy(&magic, code, sizeof magic);
  }
  if (magic == elf_magic) {
    unsupported("a library of machine code alone", "Load its PTX, or a fat binary that holds PTX.");
    return cudaErrorNotSupported;
  }
  const auto* text = static_cast<const char*>(code);
  const bool container = is_fat_binary({reinterpret_cast<const char*>(&magic), sizeof magic});
  image.assign(text, container ? fat_binary_bytes(code) : std::strlen(text));
  return cudaSuccess;
}

cudaError_t load(Context& c, cudaLibrary_t* out, const void* code) {
  if (!out || !code) return cudaErrorInvalidValue;
  std::string image;
  if (const cudaError_t error = image_of(code, image); error != cudaSuccess) return error;
  *out = reinterpret_cast<cudaLibrary_t>(c.add_library(std::move(image)));
  return cudaSuccess;
}

// Runs `body` with the library, as the call's device has it, once its code is read.
template <class Body>
cudaError_t in_library(cudaLibrary_t library, Body&& body) {
  return api([&](Context& c) {
    Code* const code = as_code(library);
    if (!c.is_library(code)) return cudaErrorInvalidResourceHandle;
    if (const std::string problem = c.load_library(code); !problem.empty()) {
      c.report(check::Kind::launch_error, "the code of a library cannot be used: " + problem,
               "The library holds no kernel that could run.");
      return cudaErrorInvalidPtx;
    }
    return body(c.module_of(*code));
  });
}

cudaError_t variable(LoadedModule& m, void** out, std::size_t* bytes, const char* name,
                     bool managed) {
  const int index = name ? m.ir().find_variable(name) : -1;
  if (index < 0) return cudaErrorSymbolNotFound;
  const ir::Variable& v = m.ir().variables[static_cast<std::size_t>(index)];
  if (v.is_managed != managed) return cudaErrorSymbolNotFound;
  if (out) *out = reinterpret_cast<void*>(m.address_of(index));
  if (bytes) *bytes = v.bytes;
  return cudaSuccess;
}

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

// The options are the just-in-time compiler's, and there is none.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* out, const void* code, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  return api([&](Context& c) { return load(c, out, code); });
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* out, const char* path, cudaJitOption*, void**,
                                    unsigned, cudaLibraryOption*, void**, unsigned) {
  return api([&](Context& c) {
    if (!out || !path) return cudaErrorInvalidValue;
    std::ifstream file(path, std::ios::binary);
    if (!file) return cudaErrorFileNotFound;
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return load(c, out, text.c_str());
  });
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return synchronous_api([&](Context& c) {
    if (!c.is_library(as_code(library))) return cudaErrorInvalidResourceHandle;
    c.remove_library(as_code(library));
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* out, cudaLibrary_t library, const char* name) {
  if (!out || !name) return api([](Context&) { return cudaErrorInvalidValue; });
  return in_library(library, [&](LoadedModule& m) {
    for (const auto& kernel : m.kernels)
      if (kernel->name == name) {
        *out = reinterpret_cast<cudaKernel_t>(kernel.get());
        return cudaSuccess;
      }
    return cudaErrorSymbolNotFound;
  });
}
cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  if (!count) return api([](Context&) { return cudaErrorInvalidValue; });
  return in_library(library, [&](LoadedModule& m) {
    *count = static_cast<unsigned>(m.kernels.size());
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* out, unsigned room, cudaLibrary_t library) {
  if (!out || room == 0) return api([](Context&) { return cudaErrorInvalidValue; });
  return in_library(library, [&](LoadedModule& m) {
    for (std::size_t i = 0; i < std::min<std::size_t>(room, m.kernels.size()); ++i)
      out[i] = reinterpret_cast<cudaKernel_t>(m.kernels[i].get());
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryGetGlobal(void** out, size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  return in_library(library, [&](LoadedModule& m) { return variable(m, out, bytes, name, false); });
}
cudaError_t cudaLibraryGetManaged(void** out, size_t* bytes, cudaLibrary_t library,
                                  const char* name) {
  return in_library(library, [&](LoadedModule& m) { return variable(m, out, bytes, name, true); });
}
// A function pointer that host and device share: there are none without such hardware.
cudaError_t cudaLibraryGetUnifiedFunction(void**, cudaLibrary_t library, const char*) {
  return in_library(library, [](LoadedModule&) { return cudaErrorInvalidValue; });
}

}  // extern "C"
