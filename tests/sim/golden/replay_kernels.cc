// Runs the rows of kernels.txt on the executor and compares every word with what a real GPU gave
// (recorded by record_kernels.cc).
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "kernels.h"
#include "support/ptx_kernel.h"

namespace {

using golden::Kernel;

std::map<std::string, std::vector<std::uint32_t>> read_recording(
    const std::string& path, const std::vector<Kernel>& kernels) {
  std::map<std::string, std::vector<std::uint32_t>> recording;
  std::map<std::string, std::size_t> sizes;
  for (const Kernel& k : kernels)
    sizes[k.text] = std::size_t{golden::cases_of(k, GOLDEN_SCALE)} * 32 * k.results;
  std::ifstream in(path, std::ios::binary);
  for (std::uint16_t length; in.read(reinterpret_cast<char*>(&length), sizeof length);) {
    std::string text(length, ' ');
    in.read(text.data(), length);
    std::vector<std::uint32_t> words(sizes.at(text));
    in.read(reinterpret_cast<char*>(words.data()),
            static_cast<std::streamsize>(words.size() * sizeof words[0]));
    recording[text] = std::move(words);
  }
  return recording;
}

std::vector<std::uint32_t> run(const Kernel& k) {
  sim::test::PtxKernel kernel(golden::module_of(k));
  CHECK(kernel.problem == "");
  CHECK(kernel.refusals() == "");
  if (!kernel.problem.empty() || !kernel.refusals().empty()) return {};
  const unsigned cases = golden::cases_of(k, GOLDEN_SCALE);
  const auto allocate = [&](std::size_t words) {
    return kernel.memory.allocate(words * 4, sim::memory::Kind::device);
  };
  const auto* in = allocate(std::size_t{cases} * 32 * k.sources);
  const auto* out = allocate(std::size_t{cases} * 32 * k.results);
  const auto* space = allocate(std::size_t{cases} * 32 * 4);
  for (unsigned c = 0; c < cases; ++c)
    for (unsigned w = 0; w < k.sources; ++w)
      for (unsigned l = 0; l < 32; ++l) {
        const std::uint32_t word = golden::source_word(k, w, l, c);
        std::memcpy(in->data + ((c * k.sources + w) * 32 + l) * 4, &word, 4);
      }
  const auto outcome = kernel.run({cases}, {32}, in->begin, out->begin, space->begin);
  CHECK(outcome.status == sim::exec::Status::completed);
  std::vector<std::uint32_t> words(std::size_t{cases} * 32 * k.results);
  std::memcpy(words.data(), out->data, words.size() * 4);
  return words;
}

}  // namespace

TEST_CASE("every recorded kernel gives the GPU's results") {
  const std::vector<Kernel> kernels = golden::read_kernels(GOLDEN_KERNELS);
  const auto recording = read_recording(GOLDEN_RECORDING, kernels);
  REQUIRE(kernels.size() > 300);
  for (const Kernel& k : kernels) {
    CAPTURE(k.text);
    const auto recorded = recording.find(k.text);
    REQUIRE_MESSAGE(recorded != recording.end(), "not in the recording: record it again");
    const std::vector<std::uint32_t> ours = run(k);
    std::size_t failures = 0;
    std::ostringstream first;
    for (std::size_t n = 0; n < ours.size(); ++n) {
      const std::uint32_t theirs = recorded->second[n];
      if (ours[n] == theirs) continue;
      const std::size_t lane = n % 32, word = n / 32 % k.results, number = n / 32 / k.results;
      if (failures++ < 3)
        first << "\n  case " << number << ", lane " << lane << ": %d" << word << " = " << std::hex
              << ours[n] << ", the GPU gave " << theirs << std::dec;
    }
    CHECK_MESSAGE(failures == 0, failures << " of " << ours.size() << " differ:" << first.str());
  }
}

TEST_CASE("opcodes.def tells which opcodes were compared with a real GPU") {
  std::map<golden::Opcode, bool> recorded;
  for (const golden::Row& row : golden::read_rows(GOLDEN_INSTRUCTIONS))
    recorded[row.instruction.opcode] = true;
  for (const Kernel& k : golden::read_kernels(GOLDEN_KERNELS))
    for (const golden::Opcode o : k.opcodes) recorded[o] = true;
  // Of textures.cu, which has a recording of its own, and (brx) of the random kernels.
  for (const golden::Opcode o :
       {golden::Opcode::brx, golden::Opcode::tex, golden::Opcode::tld4, golden::Opcode::txq,
        golden::Opcode::suld, golden::Opcode::sust, golden::Opcode::sured, golden::Opcode::suq})
    recorded[o] = true;
  // Of meetings.cu, whose recording names them in its head.
  std::ifstream meetings(GOLDEN_MEETINGS);
  REQUIRE(meetings);
  std::set<std::string, std::less<>> named;
  for (std::string text; std::getline(meetings, text) && text.starts_with('#');) {
    std::istringstream words(text.starts_with("#   ") ? text.substr(1) : "");
    for (std::string word; words >> word;) named.insert(word);
  }
  const auto opcodes = sim::ptx::all_opcodes();
  for (std::size_t k = 0; k < opcodes.size(); ++k) {
    CAPTURE(opcodes[k].mnemonic);
    const bool is_recorded = recorded.contains(static_cast<golden::Opcode>(k));
    CHECK(opcodes[k].compared == (is_recorded || named.contains(opcodes[k].mnemonic)));
  }
}
