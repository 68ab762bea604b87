// Compares the executor's handlers with what a real GPU computed for the same operands (recorded by
// record.cc): bit for bit, but for the approximations, which have the error that the ISA allows.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <iterator>
#include <map>
#include <sstream>

#include "cases.h"
#include "machine.h"

namespace {

using golden::Machine;
using golden::Row;
using sim::exec::lanes;
using sim::ptx::Opcode;
using sim::ptx::Type;

std::map<std::string, std::vector<std::uint8_t>> read_recording(const std::string& path,
                                                                const std::vector<Row>& rows,
                                                                std::uint32_t cases) {
  std::map<std::string, std::vector<std::uint8_t>> recording;
  std::map<std::string, std::size_t> sizes;
  for (const Row& row : rows)
    for (const golden::Operand& o : row.results)
      sizes[row.text] += std::size_t{cases} * (o.bytes ? o.bytes : 1);
  std::ifstream in(path, std::ios::binary);
  for (std::uint16_t length; in.read(reinterpret_cast<char*>(&length), sizeof length);) {
    std::string text(length, ' ');
    in.read(text.data(), length);
    std::vector<std::uint8_t> data(sizes.at(text));
    in.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size()));
    recording[text] = std::move(data);
  }
  return recording;
}

// How far a result may be from the recorded one: relative, or absolute where that is larger. Ours
// is nearly exact, so this is the error that the ISA states for the hardware, and a rounding.
struct Tolerance {
  double relative = 0, absolute = 0;
};
Tolerance tolerance(const Row& row) {
  const sim::ir::Modifiers& m = row.instruction.modifiers;
  if (!m.approximate && !m.full_range) return {};
  const double small =
      row.instruction.type == Type::f16 || row.instruction.type == Type::f16x2 ? 0x1p-9 : 0x1p-7;
  switch (row.instruction.opcode) {
    case Opcode::div: return {0x1p-21, 0x1p-149};
    case Opcode::rcp: return {row.instruction.type == Type::f64 ? 0x1p-19 : 0x1p-22, 0};
    case Opcode::sqrt: return {0x1p-21, 0};
    case Opcode::rsqrt: return {row.instruction.type == Type::f64 ? 0x1p-19 : 0x1.8p-22, 0};
    case Opcode::sin:
    case Opcode::cos: return {0, 0x1p-20};
    case Opcode::lg2: return {0x1p-21, 0x1p-21};
    case Opcode::ex2:
      return row.instruction.type == Type::f32 ? Tolerance{0x1p-21, 0} : Tolerance{small, 0x1p-24};
    case Opcode::tanh: return {row.instruction.type == Type::f32 ? 0x1p-10 : small, 0};
    default: return {};
  }
}

double value_of(std::uint64_t bits, Type type) {
  const auto narrow = [](std::uint64_t b, int exponent_bits, int fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(b >> fraction_bits) & ((1 << exponent_bits) - 1);
    const double fraction = static_cast<double>(b & ((1u << fraction_bits) - 1));
    const double sign = b >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1) return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
    return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  };
  if (type == Type::f64) return std::bit_cast<double>(bits);
  if (type == Type::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return type == Type::f16 ? narrow(bits & 0xffff, 5, 10) : narrow(bits & 0xffff, 8, 7);
}
bool near(std::uint64_t ours, std::uint64_t theirs, Type type, Tolerance t) {
  if (type == Type::f16x2 || type == Type::bf16x2) {
    const Type part = type == Type::f16x2 ? Type::f16 : Type::bf16;
    return near(ours & 0xffff, theirs & 0xffff, part, t) && near(ours >> 16, theirs >> 16, part, t);
  }
  const double x = value_of(ours, type), y = value_of(theirs, type);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  if (x == y) return std::signbit(x) == std::signbit(y);
  return std::fabs(x - y) <= std::max(t.absolute, t.relative * std::fabs(y));
}

std::string compare(const Row& row, const std::vector<std::uint8_t>& recorded, std::uint32_t cases,
                    unsigned* failures) {
  Machine machine(row);
  if (!machine.step.run) return "not implemented";
  const Tolerance t = tolerance(row);
  std::ostringstream first;
  for (std::uint32_t warp = 0; warp < cases / lanes; ++warp) {
    for (std::size_t k = 0; k < row.sources.size(); ++k)
      for (std::uint32_t l = 0; l < lanes; ++l)
        machine.put(machine.sources[k], l, golden::operand_bits(row, k, warp * lanes + l));
    machine.step.run(machine.registers, machine.step, sim::exec::full_mask);
    std::size_t at = 0;
    for (std::size_t k = 0; k < row.results.size(); ++k) {
      const unsigned bytes = row.results[k].bytes ? row.results[k].bytes : 1;
      for (std::uint32_t l = 0; l < lanes; ++l) {
        std::uint64_t theirs = 0;
        std::memcpy(&theirs, recorded.data() + at + std::size_t{warp * lanes + l} * bytes, bytes);
        const std::uint64_t ours = machine.get(machine.results[k], l);
        const bool inexact = (t.relative > 0 || t.absolute > 0) && k == 0;
        if (ours == theirs || (inexact && near(ours, theirs, row.instruction.type, t))) continue;
        if ((*failures)++ >= 3) continue;
        first << "\n  " << row.results[k].text << " = " << std::hex << ours << ", the GPU gave "
              << theirs << " for";
        for (std::size_t s = 0; s < row.sources.size(); ++s)
          first << ' ' << golden::operand_bits(row, s, warp * lanes + l);
        first << std::dec << " (case " << warp * lanes + l << ")";
      }
      at += std::size_t{bytes} * cases;
    }
  }
  return first.str();
}

}  // namespace

TEST_CASE("every recorded instruction gives the GPU's results") {
  const std::vector<Row> rows = golden::read_rows(GOLDEN_INSTRUCTIONS);
  const auto recording = read_recording(GOLDEN_RECORDING, rows, GOLDEN_CASES);
  REQUIRE(rows.size() > 500);
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto recorded = recording.find(row.text);
    REQUIRE_MESSAGE(recorded != recording.end(), "not in the recording: record it again");
    unsigned failures = 0;
    const std::string difference = compare(row, recorded->second, GOLDEN_CASES, &failures);
    CHECK_MESSAGE(failures == 0, failures << " of " << GOLDEN_CASES << " differ:" << difference);
    CHECK_MESSAGE((failures != 0 || difference.empty()), difference);
  }
}
