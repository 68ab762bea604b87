// Runs every row of kernels.txt on a real GPU and writes what came out.
//
//   record_kernels KERNELS SCALE OUTPUT
//
// It is no part of the build. On the machine with the GPU, from the project's root:
//
//   g++ -std=c++20 -Icommon -I/usr/local/cuda/include tests/sim/golden/record_kernels.cc \
//       common/sim/ptx/opcodes.cc common/sim/ptx/types.cc common/sim/ir/mnemonic.cc \
//       common/sim/ir/matrix_mnemonic.cc -lcuda -o record_kernels
//   ./record_kernels tests/sim/golden/kernels.txt 1 tests/sim/golden/h200_kernels.bin
//
// A row that the GPU's compiler refuses is reported and left out. The recording is a sequence of
// entries: the length of the row's text (16 bits), the text, and the words of all cases.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#include "kernels.h"

namespace {

void must(CUresult r, const char* what) {
  if (r == CUDA_SUCCESS) return;
  const char* text = "";
  cuGetErrorString(r, &text);
  std::fprintf(stderr, "%s: %s\n", what, text);
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: record_kernels KERNELS SCALE OUTPUT\n");
    return 2;
  }
  const std::vector<golden::Kernel> kernels = golden::read_kernels(argv[1]);
  const auto scale = static_cast<unsigned>(std::atoi(argv[2]));
  const std::size_t most = std::size_t{4} * scale;  // cases of a row
  std::FILE* file = std::fopen(argv[3], "wb");
  if (!file) return 1;

  must(cuInit(0), "cuInit");
  CUdevice device;
  must(cuDeviceGet(&device, 0), "cuDeviceGet");
  CUcontext context;
  must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  CUdeviceptr in, out, space;
  must(cuMemAlloc(&in, most * 128 * 40), "cuMemAlloc");
  must(cuMemAlloc(&out, most * 128 * 40), "cuMemAlloc");
  must(cuMemAlloc(&space, most * 32 * 16), "cuMemAlloc");

  int refused = 0;
  for (const golden::Kernel& k : kernels) {
    const std::string text =
        ".version 8.7\n.target sm_90\n.address_size 64\n" + golden::module_of(k);
    char log[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUmodule module;
    if (cuModuleLoadDataEx(&module, text.c_str(), 2, options, values) != CUDA_SUCCESS) {
      std::printf("refused: %s\n%s\n", k.text.c_str(), log);
      ++refused;
      continue;
    }
    const unsigned cases = golden::cases_of(k, scale);
    CUfunction function;
    must(cuModuleGetFunction(&function, module, "k"), "cuModuleGetFunction");
    std::vector<std::uint32_t> words(std::size_t{cases} * 32 * k.sources);
    for (unsigned c = 0; c < cases; ++c)
      for (unsigned w = 0; w < k.sources; ++w)
        for (unsigned l = 0; l < 32; ++l)
          words[(c * k.sources + w) * 32 + l] = golden::source_word(k, w, l, c);
    must(cuMemcpyHtoD(in, words.data(), words.size() * 4), "copy in");
    void* arguments[] = {&in, &out, &space};
    must(cuLaunchKernel(function, cases, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr), "launch");
    words.resize(std::size_t{cases} * 32 * k.results);
    must(cuMemcpyDtoH(words.data(), out, words.size() * 4), k.text.c_str());
    cuModuleUnload(module);

    const auto length = static_cast<std::uint16_t>(k.text.size());
    std::fwrite(&length, sizeof length, 1, file);
    std::fwrite(k.text.data(), 1, length, file);
    std::fwrite(words.data(), 4, words.size(), file);
  }
  std::fclose(file);
  std::printf("%zu rows, %d refused\n", kernels.size(), refused);
  return 0;
}
