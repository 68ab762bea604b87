#include "sim/runtime/cubin.h"

#include <cstring>
#include <string_view>
#include <vector>

#include <elf.h>

namespace sim::runtime {

namespace {

constexpr std::uint8_t format_sized = 4;  // the record has a payload of the size it states
constexpr std::uint8_t attribute_frame_size = 0x11;
constexpr std::uint8_t attribute_registers = 0x2f;
constexpr std::string_view shared_prefix = ".nv.shared.";

constexpr std::string_view text_prefix = ".text.";

// Instructions of Volta and later: 16 bytes; the opcode is in the lowest 12 bits, the width of a
// memory access in bits 73 to 75.
constexpr std::uint64_t instruction_bytes = 16;
constexpr std::uint64_t opcode_stl = 0x387, opcode_ldl = 0x983;
constexpr std::uint32_t width_bytes[] = {1, 1, 2, 2, 4, 8, 16, 0};

template <class T>
bool read(std::span<const std::byte> bytes, std::uint64_t at, T& value) {
  if (at > bytes.size() || bytes.size() - at < sizeof value) return false;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return true;
}

std::string text(std::span<const std::byte> strings, std::uint64_t at) {
  if (at >= strings.size()) return {};
  const char* p = reinterpret_cast<const char*>(strings.data()) + at;
  return {p, strnlen(p, strings.size() - at)};
}

}  // namespace

std::map<std::string, KernelCode> read_cubin(std::span<const std::byte> elf) {
  std::map<std::string, KernelCode> kernels;
  Elf64_Ehdr header;
  if (!read(elf, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64)
    return kernels;

  std::vector<Elf64_Shdr> sections(header.e_shnum);
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (!read(elf, header.e_shoff + i * sizeof(Elf64_Shdr), sections[i])) return kernels;
  const auto bytes_of = [&](const Elf64_Shdr& s) -> std::span<const std::byte> {
    if (s.sh_type == SHT_NOBITS || s.sh_offset > elf.size() || s.sh_size > elf.size() - s.sh_offset)
      return {};
    return elf.subspan(s.sh_offset, s.sh_size);
  };
  if (header.e_shstrndx >= sections.size()) return kernels;
  const std::span<const std::byte> names = bytes_of(sections[header.e_shstrndx]);

  // Kernels and device functions by symbol number.
  std::map<std::uint32_t, std::string> symbols;
  for (const Elf64_Shdr& s : sections) {
    if (s.sh_type != SHT_SYMTAB || s.sh_link >= sections.size()) continue;
    const std::span<const std::byte> table = bytes_of(s);
    const std::span<const std::byte> strings = bytes_of(sections[s.sh_link]);
    Elf64_Sym symbol;
    for (std::uint32_t i = 0; read(table, i * sizeof symbol, symbol); ++i)
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) symbols[i] = text(strings, symbol.st_name);
  }

  for (const Elf64_Shdr& s : sections) {
    const std::string name = text(names, s.sh_name);
    if (name.starts_with(shared_prefix))
      kernels[name.substr(shared_prefix.size())].shared_bytes =
          static_cast<std::uint32_t>(s.sh_size);
    if (name.starts_with(text_prefix)) {
      KernelCode& k = kernels[name.substr(text_prefix.size())];
      const std::span<const std::byte> code = bytes_of(s);
      std::uint64_t low = 0, high = 0;
      for (std::uint64_t at = 0; read(code, at, low) && read(code, at + 8, high);
           at += instruction_bytes) {
        const std::uint32_t bytes = width_bytes[high >> 9 & 7];
        if ((low & 0xfff) == opcode_stl) k.local_stores += bytes;
        if ((low & 0xfff) == opcode_ldl) k.local_loads += bytes;
      }
    }
    if (name != ".nv.info") continue;
    const std::span<const std::byte> records = bytes_of(s);
    for (std::uint64_t at = 0; at + 4 <= records.size();) {
      std::uint8_t format = 0, attribute = 0;
      std::uint16_t size = 0;
      read(records, at, format);
      read(records, at + 1, attribute);
      read(records, at + 2, size);
      std::uint32_t symbol = 0, value = 0;
      if (format == format_sized && size >= 8 && read(records, at + 4, symbol) &&
          read(records, at + 8, value) && symbols.count(symbol)) {
        KernelCode& k = kernels[symbols[symbol]];
        if (attribute == attribute_registers) k.registers = value;
        if (attribute == attribute_frame_size) k.stack_bytes = value;
      }
      at += 4 + (format == format_sized ? size : 0);
    }
  }
  return kernels;
}

}  // namespace sim::runtime
