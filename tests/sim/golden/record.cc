// Runs every row of instructions.txt on a real GPU and writes what came out.
//
//   record INSTRUCTIONS CASES OUTPUT
//
// It is no part of the build. On the machine with the GPU, from the project's root:
//
//   g++ -std=c++20 -Icommon -I/usr/local/cuda/include tests/sim/golden/record.cc \
//       common/sim/ptx/opcodes.cc common/sim/ptx/types.cc common/sim/ir/mnemonic.cc \
//       common/sim/ir/matrix_mnemonic.cc -lcuda -o
//       record
//   ./record tests/sim/golden/instructions.txt 128 tests/sim/golden/h200.bin
//
// Each row becomes a kernel of a few lines of PTX, one thread a case. A row that the GPU's compiler
// refuses is reported and left out. The recording is a sequence of entries: the length of the row's
// text (16 bits), the text, and for every result its values in order of the cases (a predicate: one
// byte each).
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cases.h"

namespace {

void must(CUresult r, const char* what) {
  if (r == CUDA_SUCCESS) return;
  const char* text = "";
  cuGetErrorString(r, &text);
  std::fprintf(stderr, "%s: %s\n", what, text);
  std::exit(1);
}

const char* letter(unsigned bytes) { return bytes == 2 ? "h" : bytes == 4 ? "r" : "l"; }

std::string kernel(const golden::Row& row) {
  std::string s =
      ".version 8.7\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 count) {\n"
      ".reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<8>;\n"
      ".reg .u32 %i, %n, %w; .reg .u64 %in, %out, %x, %stride, %at;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u32 %n, [count];\n"
      "mov.u32 %i, %ctaid.x; shl.b32 %i, %i, 5; mov.u32 %w, %tid.x; add.u32 %i, %i, %w;\n"
      "mul.wide.u32 %stride, %n, 8; mul.wide.u32 %at, %i, 8;\n"
      "add.u64 %in, %in, %at; add.u64 %out, %out, %at;\n";
  std::vector<std::string> names;
  for (std::size_t k = 0; k < row.sources.size(); ++k) {
    const golden::Operand& o = row.sources[k];
    const std::string n = std::to_string(k);
    if (o.immediate) {
      names.push_back(o.text);
      continue;
    }
    s += "ld.global.u64 %x, [%in]; add.u64 %in, %in, %stride;\n";
    if (o.bytes == 0) s += "setp.ne.u64 %p" + n + ", %x, 0;\n";
    if (o.bytes == 2) s += "cvt.u16.u64 %h" + n + ", %x;\n";
    if (o.bytes == 4) s += "cvt.u32.u64 %r" + n + ", %x;\n";
    if (o.bytes == 8) s += "mov.u64 %l" + n + ", %x;\n";
    names.push_back("%" + std::string(o.bytes == 0 ? "p" : letter(o.bytes)) + n);
  }
  s += row.mnemonic + " ";
  for (std::size_t k = 0; k < row.results.size(); ++k) {
    const golden::Operand& o = row.results[k];
    s += (k ? "|%" : "%") + std::string(o.bytes == 0 ? "p" : letter(o.bytes)) +
         std::to_string(6 + k);
  }
  for (const std::string& n : names) s += ", " + n;
  s += ";\n";
  for (std::size_t k = 0; k < row.results.size(); ++k) {
    const golden::Operand& o = row.results[k];
    const std::string n = std::to_string(6 + k);
    if (o.bytes == 0) s += "selp.u64 %x, 1, 0, %p" + n + ";\n";
    if (o.bytes == 2) s += "cvt.u64.u16 %x, %h" + n + ";\n";
    if (o.bytes == 4) s += "cvt.u64.u32 %x, %r" + n + ";\n";
    if (o.bytes == 8) s += "mov.u64 %x, %l" + n + ";\n";
    s += "st.global.u64 [%out], %x; add.u64 %out, %out, %stride;\n";
  }
  return s + "ret;\n}\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: record INSTRUCTIONS CASES OUTPUT\n");
    return 2;
  }
  const std::vector<golden::Row> rows = golden::read_rows(argv[1]);
  const auto cases = static_cast<std::uint32_t>(std::atoi(argv[2])) / 32 * 32;
  std::FILE* file = std::fopen(argv[3], "wb");
  if (!file) return 1;

  must(cuInit(0), "cuInit");
  CUdevice device;
  must(cuDeviceGet(&device, 0), "cuDeviceGet");
  CUcontext context;
  must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  CUdeviceptr in, out;
  must(cuMemAlloc(&in, std::size_t{8} * 8 * cases), "cuMemAlloc");
  must(cuMemAlloc(&out, std::size_t{8} * 2 * cases), "cuMemAlloc");

  int refused = 0;
  for (const golden::Row& row : rows) {
    const std::string text = kernel(row);
    char log[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUmodule module;
    if (cuModuleLoadDataEx(&module, text.c_str(), 2, options, values) != CUDA_SUCCESS) {
      std::printf("refused: %s\n%s\n", row.text.c_str(), log);
      ++refused;
      continue;
    }
    CUfunction function;
    must(cuModuleGetFunction(&function, module, "k"), "cuModuleGetFunction");
    std::vector<std::uint64_t> operands;
    for (std::size_t k = 0; k < row.sources.size(); ++k)
      for (std::uint32_t c = 0; c < cases && !row.sources[k].immediate; ++c)
        operands.push_back(golden::operand_bits(row, k, c));
    if (!operands.empty()) must(cuMemcpyHtoD(in, operands.data(), operands.size() * 8), "copy in");
    std::uint32_t count = cases;
    void* arguments[] = {&in, &out, &count};
    must(cuLaunchKernel(function, cases / 32, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr),
         "launch");
    std::vector<std::uint64_t> results(row.results.size() * cases);
    must(cuMemcpyDtoH(results.data(), out, results.size() * 8), row.text.c_str());
    cuModuleUnload(module);

    const auto length = static_cast<std::uint16_t>(row.text.size());
    std::fwrite(&length, sizeof length, 1, file);
    std::fwrite(row.text.data(), 1, length, file);
    for (std::size_t k = 0; k < row.results.size(); ++k) {
      const unsigned bytes = row.results[k].bytes ? row.results[k].bytes : 1;
      for (std::uint32_t c = 0; c < cases; ++c)
        std::fwrite(&results[k * cases + c], bytes, 1, file);
    }
  }
  std::fclose(file);
  std::printf("%zu rows, %d refused\n", rows.size(), refused);
  return 0;
}
