// The rows of kernels.txt as small kernels, and the words that each is given. Used by the recorder,
// which runs on a real GPU, and by the replay, so that a recording needs to hold results alone.
//
// Each block is a case; each of its 32 threads reads some words of `in` into registers %s0, %s1 …,
// runs the row's instructions, and writes %d0, %d1 … to `out`. Rows that name a matrix instruction
// or an atomic alone become instructions that read and write such registers.
#pragma once

#include <string>
#include <vector>

#include "cases.h"
#include "sim/ir/matrix_mnemonic.h"

namespace golden {

struct Kernel {
  std::string text;        // the row
  std::string statements;  // between reading %s and writing %d
  unsigned sources = 0, results = 0;
  sim::ir::Instruction instruction;  // of the row's first instruction
  std::vector<Opcode> opcodes;       // all that it runs
  std::vector<Type> types;           // of each source word; empty: as `instruction` says
};

inline bool is_matrix(const Kernel& k) {
  return sim::ptx::info(k.instruction.opcode).klass == sim::ptx::OpcodeClass::matrix;
}

// {%f0, %f1}: `count` registers of 32 or 64 bits.
inline std::string register_list(const char* name, unsigned first, unsigned count) {
  std::string s = "{";
  for (unsigned k = 0; k < count; ++k)
    s += (k ? ", %" : "%") + std::string(name) + std::to_string(first + k);
  return s + "}";
}

inline void multiply_kernel(Kernel& k) {
  const auto count = [&](char f) { return sim::ir::fragment_registers(k.instruction, f); };
  const unsigned a = count('a'), b = count('b'), c = count('c'), d = count('d');
  const bool wide = k.instruction.matrix.a == Type::f64;
  const char* in = wide ? "x" : "s";
  const char* out = wide ? "y" : "d";
  const unsigned words = wide ? 2 : 1;
  k.sources = (a + b + c) * words;
  k.results = d * words;
  for (unsigned r = 0; wide && r < a + b + c; ++r)
    k.statements += "mov.b64 %x" + std::to_string(r) + ", {%s" + std::to_string(2 * r) + ", %s" +
                    std::to_string(2 * r + 1) + "};\n";
  const std::size_t space = std::min(k.text.find(' '), k.text.size());
  k.statements += k.text.substr(0, space) + " " + register_list(out, 0, d) + ", " +
                  register_list(in, 0, a) + ", " + register_list(in, a, b) + ", " +
                  register_list(in, a + b, c);
  // The selector stands in the row, the metadata is a word.
  if (k.instruction.opcode == Opcode::mma_sp)
    k.statements += ", %s" + std::to_string(k.sources++) + "," + k.text.substr(space);
  k.statements += ";\n";
  for (unsigned r = 0; wide && r < d; ++r)
    k.statements += "mov.b64 {%d" + std::to_string(2 * r) + ", %d" + std::to_string(2 * r + 1) +
                    "}, %y" + std::to_string(r) + ";\n";
}

// Between shared memory, which holds the words of all lanes, and registers.
inline void transfer_kernel(Kernel& k) {
  const sim::ir::Instruction& i = k.instruction;
  const sim::ir::Matrix& m = i.matrix;
  const bool fragments = i.opcode == Opcode::wmma_load || i.opcode == Opcode::wmma_store;
  const bool loads = i.opcode == Opcode::wmma_load || i.opcode == Opcode::ldmatrix;
  const bool wide = m.d == Type::f64;
  unsigned registers = m.count, words = m.count;
  std::string stride;
  if (fragments) {
    registers = sim::ir::fragment_registers(i, m.fragment);
    const unsigned rows = m.fragment == 'b' ? m.k : m.m, columns = m.fragment == 'a' ? m.k : m.n;
    const unsigned bits = m.d == Type::b1                      ? 1
                          : m.d == Type::s4 || m.d == Type::u4 ? 4
                                                               : 8 * sim::ptx::bytes_of(m.d);
    words = rows * columns * bits / 32 / 32;
    if (words == 0) words = 1;
    stride = ", " + std::to_string(m.a_columns ? rows : columns);
  }
  const std::string list =
      register_list(wide ? (loads ? "y" : "x") : (loads ? "d" : "s"), 0, registers);
  const std::string address = fragments ? "[%base]" : "[%row]";
  // Rows of ldmatrix stand in a mixed order.
  k.statements =
      "mov.u32 %base, mem; shl.b32 %at, %lane, 2; add.u32 %at, %at, %base;\n"
      "mul.lo.u32 %row, %lane, 5; add.u32 %row, %row, 3; and.b32 %row, %row, " +
      std::to_string(8 * (fragments ? 4 : words) - 1) +
      "; shl.b32 %row, %row, 4; add.u32 %row, %row, %base;\n";
  const unsigned own = wide ? 2 * registers : registers;
  if (loads) {
    k.sources = words;
    k.results = own;
    for (unsigned w = 0; w < words; ++w)
      k.statements +=
          "st.shared.u32 [%at+" + std::to_string(128 * w) + "], %s" + std::to_string(w) + ";\n";
    k.statements += "bar.sync 0;\n" + k.text + " " + list + ", " + address + stride + ";\n";
    for (unsigned r = 0; wide && r < registers; ++r)
      k.statements += "mov.b64 {%d" + std::to_string(2 * r) + ", %d" + std::to_string(2 * r + 1) +
                      "}, %y" + std::to_string(r) + ";\n";
    return;
  }
  k.sources = own;
  k.results = words;
  for (unsigned r = 0; wide && r < registers; ++r)
    k.statements += "mov.b64 %x" + std::to_string(r) + ", {%s" + std::to_string(2 * r) + ", %s" +
                    std::to_string(2 * r + 1) + "};\n";
  k.statements += k.text + " " + address + ", " + list + stride + ";\nbar.sync 0;\n";
  for (unsigned w = 0; w < words; ++w)
    k.statements +=
        "ld.shared.u32 %d" + std::to_string(w) + ", [%at+" + std::to_string(128 * w) + "];\n";
}

// Each lane changes 16 bytes of its own; the results are the old value and the new bytes.
inline void atomic_kernel(Kernel& k) {
  const sim::ir::Instruction& i = k.instruction;
  const unsigned bytes = sim::ptx::bytes_of(i.type), elements = i.vector;
  const bool takes = i.opcode == Opcode::atom;
  const char* reg = bytes == 2 ? "h" : bytes == 8 ? "x" : "s";
  const unsigned words = bytes == 8 ? 2 * elements : elements;  // given to each register one word
  k.sources = words + 4;
  k.results = (takes ? words : 0) + 4;
  std::string list, old;
  for (unsigned e = 0; e < elements; ++e) {
    const std::string n = std::to_string(e), w = std::to_string(bytes == 8 ? 2 * e : e);
    if (bytes == 2) k.statements += "cvt.u16.u32 %h" + n + ", %s" + w + ";\n";
    if (bytes == 8)
      k.statements += "mov.b64 %x" + n + ", {%s" + w + ", %s" + std::to_string(2 * e + 1) + "};\n";
    list += (e ? ", %" : "%") + std::string(reg) + n;
    old += (e ? ", %" : "%") + std::string(bytes == 2 ? "g" : bytes == 8 ? "y" : "d") + n;
  }
  if (elements > 1) {
    list = "{" + list + "}";
    old = "{" + old + "}";
  }
  for (unsigned w = 0; w < 4; ++w)
    k.statements += "st.global.u32 [%own+" + std::to_string(4 * w) + "], %s" +
                    std::to_string(words + w) + ";\n";
  k.statements += k.text + " " + (takes ? old + ", " : "") + "[%own], " + list + ";\n";
  for (unsigned e = 0; takes && e < elements; ++e) {
    const std::string n = std::to_string(e);
    if (bytes == 2) k.statements += "cvt.u32.u16 %d" + n + ", %g" + n + ";\n";
    if (bytes == 8)
      k.statements += "mov.b64 {%d" + std::to_string(2 * e) + ", %d" + std::to_string(2 * e + 1) +
                      "}, %y" + n + ";\n";
  }
  for (unsigned w = 0; w < 4; ++w)
    k.statements += "ld.volatile.global.u32 %d" + std::to_string(k.results - 4 + w) + ", [%own+" +
                    std::to_string(4 * w) + "];\n";
}

// "2 4 u32: add.cc.u32 %d0, %s0, %s2; …": results, sources, their type, statements.
inline void plain_kernel(Kernel& k) {
  const std::size_t colon = k.text.find(':');
  std::size_t end = 0;
  k.results = static_cast<unsigned>(std::stoul(k.text, &end));
  std::size_t next = 0;
  k.sources = static_cast<unsigned>(std::stoul(k.text.substr(end), &next));
  std::string type = k.text.substr(end + next, colon - end - next);
  type.erase(0, type.find_first_not_of(' '));
  k.types.assign(k.sources, *sim::ptx::parse_type(type));
  k.statements = k.text.substr(colon + 1) + "\n";
  for (std::size_t at = colon + 1; at < k.text.size();) {
    const std::size_t stop = std::min(k.text.find(';', at), k.text.size());
    std::string one = k.text.substr(at, stop - at);
    one.erase(0, one.find_first_not_of(' '));
    if (!one.empty()) {
      const auto i = sim::ir::parse_mnemonic(one.substr(0, one.find(' '))).instruction;
      k.opcodes.push_back(i.opcode);
    }
    at = stop + 1;
  }
  if (!k.opcodes.empty()) k.instruction.opcode = k.opcodes.front();
}

inline std::vector<Kernel> read_kernels(const std::string& path) {
  std::vector<Kernel> kernels;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    Kernel k;
    k.text = line;
    if (line[0] >= '0' && line[0] <= '9') {
      plain_kernel(k);
    } else {
      k.instruction = sim::ir::parse_mnemonic(line.substr(0, line.find(' '))).instruction;
      k.opcodes = {k.instruction.opcode};
      switch (k.instruction.opcode) {
        case Opcode::mma:
        case Opcode::mma_sp:
        case Opcode::wmma_mma: multiply_kernel(k); break;
        case Opcode::atom:
        case Opcode::red: atomic_kernel(k); break;
        case Opcode::movmatrix:
          k.sources = k.results = 1;
          k.statements = line + " %d0, %s0;\n";
          break;
        default: transfer_kernel(k); break;
      }
    }
    kernels.push_back(std::move(k));
  }
  return kernels;
}

// Of sums that round, four times as many cases as of what is exact; of transfers one.
inline unsigned cases_of(const Kernel& k, unsigned scale) {
  const bool multiplies = sim::ir::multiplies(k.instruction.opcode);
  if (multiplies && sim::ptx::is_float(k.instruction.matrix.d)) return 4 * scale;
  return is_matrix(k) && !multiplies ? 1 : 2;
}

// The module, without its header.
inline std::string module_of(const Kernel& k) {
  std::string s =
      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 space) {\n"
      ".reg .b16 %h<16>; .reg .b16 %g<16>; .reg .b32 %s<40>; .reg .b32 %d<40>;\n"
      ".reg .b64 %x<40>; .reg .b64 %y<40>; .reg .pred %p<8>; .reg .b32 %t<8>;\n"
      ".reg .u32 %block, %lane, %index, %base, %at, %row; .reg .u64 %in, %out, %own, %wide;\n"
      ".shared .align 128 .b8 mem[4096];\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %own, [space];\n"
      "mov.u32 %block, %ctaid.x; mov.u32 %lane, %tid.x;\n"
      "mad.lo.u32 %index, %block, 32, %lane; mul.wide.u32 %wide, %index, 16;\n"
      "add.u64 %own, %own, %wide;\n";
  const auto place = [&](const char* pointer, unsigned words) {
    s += "mad.lo.u32 %index, %block, " + std::to_string(32 * words) +
         ", %lane; mul.wide.u32 %wide, %index, 4; add.u64 " + pointer + ", " + pointer +
         ", %wide;\n";
  };
  place("%in", k.sources);
  place("%out", k.results);
  for (unsigned w = 0; w < k.sources; ++w)
    s += "ld.global.u32 %s" + std::to_string(w) + ", [%in+" + std::to_string(128 * w) + "];\n";
  s += k.statements;
  for (unsigned w = 0; w < k.results; ++w)
    s += "st.global.u32 [%out+" + std::to_string(128 * w) + "], %d" + std::to_string(w) + ";\n";
  return s + "ret;\n}\n";
}

// ---- What the registers hold ----

// Numbers of a matrix: most cases have exponents close together, one spreads them, one is special.
inline std::uint64_t matrix_element(Type type, unsigned number, std::uint64_t random) {
  Format f{8, 23};
  switch (type) {
    case Type::f16: f = {5, 10}; break;
    case Type::bf16: f = {8, 7}; break;
    case Type::tf32:
    case Type::f32: break;
    case Type::f64: f = {11, 52}; break;
    case Type::e4m3: f = {4, 3}; break;
    case Type::e5m2: f = {5, 2}; break;
    default: return random;
  }
  const std::uint64_t r = mixed(random);
  const int bits = 1 + f.exponent_bits + f.fraction_bits;
  if (number % 4 == 3 && r % 64 == 0) return special_float(f, mixed(r));
  const std::uint64_t bias = (std::uint64_t{1} << (f.exponent_bits - 1)) - 1;
  const std::uint64_t spread = number % 4 == 2 ? std::min<std::uint64_t>(2 * bias, 24) : 7;
  const std::uint64_t exponent = bias - spread / 2 + (r >> 8) % spread;
  const std::uint64_t fraction = r >> 12 & ((std::uint64_t{1} << f.fraction_bits) - 1);
  return exponent << f.fraction_bits | fraction | (r >> 7 & 1) << (bits - 1);
}

inline std::uint32_t packed(Type type, unsigned number, std::uint64_t random) {
  switch (type) {
    case Type::f16:
    case Type::bf16:
      return static_cast<std::uint32_t>(matrix_element(type, number, random) |
                                        matrix_element(type, number, mixed(random)) << 16);
    case Type::e4m3:
    case Type::e5m2: {
      std::uint32_t word = 0;
      for (int part = 0; part < 4; ++part)
        word |=
            static_cast<std::uint32_t>(
                matrix_element(type, number, mixed(random + static_cast<unsigned>(part))) & 0xff)
            << 8 * part;
      return word;
    }
    default: return static_cast<std::uint32_t>(matrix_element(type, number, random));
  }
}

inline std::uint32_t any_word(Type type, std::uint64_t random) {
  constexpr Format half{5, 10}, bfloat{8, 7}, single{8, 23};
  switch (type) {
    case Type::f16:
    case Type::f16x2:
      return static_cast<std::uint32_t>(any_float(half, random) | any_float(half, mixed(random))
                                                                      << 16);
    case Type::bf16:
    case Type::bf16x2:
      return static_cast<std::uint32_t>(any_float(bfloat, random) | any_float(bfloat, mixed(random))
                                                                        << 16);
    case Type::f32: return static_cast<std::uint32_t>(any_float(single, random));
    case Type::b8: return static_cast<std::uint32_t>(mixed(random));
    default: return static_cast<std::uint32_t>(any_integer(4, random));
  }
}

// Of a sparse product: in each four bits the numbers of two of four neighbours, in order if that
// was promised; for numbers of 32 bits one of the two values that the manual allows.
inline std::uint32_t metadata(const Kernel& k, std::uint64_t random) {
  constexpr std::array<std::uint32_t, 12> pairs{0x4, 0x8, 0xc, 0x9, 0xd, 0xe,
                                                0x1, 0x2, 0x3, 0x6, 0x7, 0xb};
  constexpr std::array<std::uint32_t, 2> singles{0x4, 0xe};
  const bool in_order = k.text.find("ordered_metadata") != std::string::npos;
  std::uint32_t word = 0;
  for (unsigned part = 0; part < 8; ++part) {
    const std::uint64_t r = mixed(random + part);
    const bool single = k.instruction.matrix.a == Type::tf32;
    word |= (single ? singles[r % 2] : pairs[r % (in_order ? 6 : 12)]) << 4 * part;
  }
  return word;
}

// Word `w` of a lane's sources in case `number`.
inline std::uint32_t source_word(const Kernel& k, unsigned w, unsigned lane, unsigned number) {
  std::uint64_t seed = 0;
  for (const char c : k.text) seed = mixed(seed ^ static_cast<unsigned char>(c));
  const std::uint64_t random = mixed(mixed(mixed(seed + w) + lane) + number);
  if (!k.types.empty()) return any_word(k.types[w], random);
  const sim::ir::Instruction& i = k.instruction;
  if (sim::ir::multiplies(i.opcode)) {
    const auto count = [&](char f) { return sim::ir::fragment_registers(i, f); };
    const unsigned words = i.matrix.a == Type::f64 ? 2 : 1;
    const unsigned r = w / words;
    if (r == count('a') + count('b') + count('c')) return metadata(k, random);
    const Type type = r < count('a')                ? i.matrix.a
                      : r < count('a') + count('b') ? i.matrix.b
                                                    : i.matrix.c;
    if (words == 1) return packed(type, number, random);
    const std::uint64_t whole =
        matrix_element(type, number, mixed(mixed(mixed(seed + r) + lane) + number));
    return static_cast<std::uint32_t>(whole >> (w % 2 * 32));
  }
  if (i.opcode == Opcode::atom || i.opcode == Opcode::red) {
    if (sim::ptx::bytes_of(i.type) < 8) return any_word(i.type, random);
    const std::uint64_t pair = mixed(mixed(mixed(seed + w / 2) + lane) + number);
    const std::uint64_t whole =
        i.type == Type::f64 ? any_float({11, 52}, pair) : any_integer(8, pair);
    return static_cast<std::uint32_t>(whole >> (w % 2 * 32));
  }
  // A matrix in memory: elements that tell where they were, where they have room for it.
  const unsigned index = 32 * w + lane;
  switch (sim::ptx::bytes_of(i.type)) {
    case 1: return 0x03020100u + 0x04040404u * index;
    case 2: return (2 * index + 1) << 16 | 2 * index;
    case 0: return static_cast<std::uint32_t>(random);
    default: return index;
  }
}

}  // namespace golden
