// The rows of instructions.txt, and the operands that each is tried with. Used by the recorder,
// which runs on a real GPU, and by the replay, so that a recording needs to hold results alone.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ir/mnemonic.h"

namespace golden {

using sim::ptx::Opcode;
using sim::ptx::Type;

struct Operand {
  std::string text;        // as written: "a", "d", "n", "0x1f"
  unsigned bytes = 0;      // of the register that carries it; 0: a predicate
  Type type = Type::none;  // what it is read as
  bool immediate = false;
  std::uint64_t value = 0;  // of an immediate
};

struct Row {
  std::string text, mnemonic;
  sim::ir::Instruction instruction;  // without operands
  std::vector<Operand> results, sources;
};

inline Type source_type(const sim::ir::Instruction& i, std::size_t k) {
  switch (i.opcode) {
    case Opcode::cvt:
    case Opcode::set: return i.source_type;
    case Opcode::slct: return k == 2 ? i.source_type : i.type;
    default: return i.type;
  }
}

inline Row parse(const std::string& line) {
  Row row;
  row.text = line;
  const std::size_t space = line.find(' ');
  row.mnemonic = line.substr(0, space);
  row.instruction = sim::ir::parse_mnemonic(row.mnemonic).instruction;
  const auto add = [](std::vector<Operand>& list, std::string text) {
    Operand o;
    o.text = std::move(text);
    o.immediate = o.text[0] >= '0' && o.text[0] <= '9';
    if (o.immediate) o.value = std::stoull(o.text, nullptr, 0);
    list.push_back(o);
  };
  bool results = true;
  std::string word;
  for (const char c : line.substr(space + 1) + ",") {
    if (c != ',' && c != '|') {
      word += c;
      continue;
    }
    add(results ? row.results : row.sources, word);
    word.clear();
    if (c == ',') results = false;
  }
  // A byte travels in a 32-bit register: the ISA has none of 8 bits.
  const auto carried = [](unsigned bytes) { return bytes == 1 ? 4u : bytes; };
  const sim::ir::Instruction& i = row.instruction;
  for (std::size_t k = 0; k < row.results.size(); ++k) {
    Operand& o = row.results[k];
    o.bytes = o.text == "d" ? carried(sim::ir::result_bytes(i, k, row.results.size())) : 0;
  }
  for (std::size_t k = 0; k < row.sources.size(); ++k) {
    Operand& o = row.sources[k];
    o.bytes = o.text == "n" ? 0 : carried(sim::ir::source_bytes(i, k, row.sources.size()));
    o.type = source_type(i, k);
  }
  return row;
}

inline std::vector<Row> read_rows(const std::string& path) {
  std::vector<Row> rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') rows.push_back(parse(line));
  return rows;
}

// ---- Operands
// ------------------------------------------------------------------------------------

inline std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

struct Format {
  int exponent_bits, fraction_bits;
};
// Zeros, subnormals, extremes, infinities, NaNs, ties between integers, ordinary numbers.
inline std::uint64_t special_float(Format f, std::uint64_t random) {
  const std::uint64_t one_fraction = std::uint64_t{1} << f.fraction_bits;
  const std::uint64_t fraction = one_fraction - 1;
  const std::uint64_t infinity = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits;
  const std::uint64_t one = ((std::uint64_t{1} << (f.exponent_bits - 1)) - 1) << f.fraction_bits;
  const std::array<std::uint64_t, 20> values{0,
                                             1,
                                             fraction,
                                             fraction / 3,
                                             one_fraction,
                                             one_fraction + 1,
                                             infinity - 1,
                                             infinity,
                                             infinity + 1,
                                             infinity + (one_fraction >> 1),
                                             infinity + fraction,
                                             one,
                                             one + 1,
                                             one - 1,
                                             one - one_fraction,
                                             one + (one_fraction >> 1),
                                             one + one_fraction + (one_fraction >> 2),
                                             one + one_fraction,
                                             one - one_fraction + 1,
                                             infinity - one_fraction};
  const std::uint64_t sign = random >> 40 & 1;
  return values[random % values.size()] | sign << (f.exponent_bits + f.fraction_bits);
}
inline std::uint64_t any_float(Format f, std::uint64_t random) {
  const std::uint64_t r = mixed(random);
  const int bits = 1 + f.exponent_bits + f.fraction_bits;
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  switch (random % 4) {
    case 0: return special_float(f, r);
    case 1: return r & all;
    case 2: {  // near one, so that two of them interact
      const std::uint64_t bias = (std::uint64_t{1} << (f.exponent_bits - 1)) - 1;
      const std::uint64_t exponent = bias - 3 + (r >> 8) % 7;
      const std::uint64_t fraction = r >> 12 & ((std::uint64_t{1} << f.fraction_bits) - 1);
      return exponent << f.fraction_bits | fraction | (r & 1) << (bits - 1);
    }
    default: {  // about the size of integers
      const std::uint64_t bias = (std::uint64_t{1} << (f.exponent_bits - 1)) - 1;
      const std::uint64_t most = f.exponent_bits == 5 ? 15 : 66;
      const std::uint64_t exponent = bias - 2 + (r >> 8) % (most + 2);
      const std::uint64_t fraction = r >> 16 & ((std::uint64_t{1} << f.fraction_bits) - 1);
      return exponent << f.fraction_bits | fraction | (r & 1) << (bits - 1);
    }
  }
}
inline std::uint64_t any_integer(unsigned bytes, std::uint64_t random) {
  const std::uint64_t r = mixed(random);
  const unsigned bits = 8 * bytes;
  switch (random % 4) {
    case 0: {
      const std::uint64_t top = std::uint64_t{1} << (bits - 1);
      const std::array<std::uint64_t, 10> values{
          0, 1, ~std::uint64_t{0}, top, top - 1, top + 1, 2, 0x7f, 0x80, 0xff};
      return values[r % values.size()];
    }
    case 1: return r;
    case 2: return r % 40;            // a count, a position, a lane
    default: return r >> (r % bits);  // of any magnitude
  }
}

// The bits of source `k` in case `number` of `row`. Registers of a byte's type carry garbage above
// it.
inline std::uint64_t operand_bits(const Row& row, std::size_t k, std::uint32_t number) {
  const Operand& o = row.sources[k];
  if (o.immediate) return o.value;
  std::uint64_t seed = 0;
  for (const char c : row.text) seed = mixed(seed ^ static_cast<unsigned char>(c));
  const std::uint64_t random = mixed(mixed(seed + k) + number);
  constexpr Format half{5, 10}, bfloat{8, 7}, single{8, 23}, twice{11, 52};
  // Warps in which most lanes agree make match and vote say something.
  const bool agreeing = number / 32 % 2 == 1;
  const Opcode op = row.instruction.opcode;
  if (o.bytes == 0) return agreeing ? number / 64 % 2 : random & 1;
  if (op == Opcode::match) return agreeing ? 7 : random % 5;
  switch (o.type) {
    case Type::f16: return any_float(half, random);
    case Type::bf16: return any_float(bfloat, random);
    case Type::f16x2: return any_float(half, random) | any_float(half, mixed(random)) << 16;
    case Type::bf16x2: return any_float(bfloat, random) | any_float(bfloat, mixed(random)) << 16;
    case Type::f32: return any_float(single, random);
    case Type::f64: return any_float(twice, random);
    default: return any_integer(o.bytes, random);
  }
}

}  // namespace golden
