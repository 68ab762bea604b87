// Fat binaries, and the machine code in them: what is found, and what is damaged.
#include "sim/runtime/fatbin.h"

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/runtime/cubin.h"

using namespace sim::runtime;

namespace {

using Bytes = std::vector<std::byte>;

template <class T>
void put(Bytes& bytes, std::size_t at, T value) {
  if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// An entry as nvcc writes it, with a header of `header` bytes.
void add_entry(Bytes& bytes, std::uint16_t kind, std::uint32_t arch, const std::string& payload,
               std::uint64_t flags = 0x11, std::uint32_t header = 80) {
  const std::size_t at = bytes.size();
  const std::size_t padded = (payload.size() + 1 + 7) / 8 * 8;
  bytes.resize(at + header + padded);
  put<std::uint16_t>(bytes, at, kind);
  put<std::uint16_t>(bytes, at + 2, 0x0101);
  put<std::uint32_t>(bytes, at + 4, header);
  put<std::uint64_t>(bytes, at + 8, padded);
  put<std::uint32_t>(bytes, at + 28, arch);
  put<std::uint64_t>(bytes, at + 40, flags);
  std::memcpy(bytes.data() + at + header, payload.data(), payload.size());
  put<std::uint64_t>(bytes, 8, bytes.size() - 16);
}

Bytes container() {
  Bytes bytes(16);
  put<std::uint32_t>(bytes, 0, 0xba55ed50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  return bytes;
}

FatBinary read(const Bytes& bytes) { return read_fat_binary(bytes.data(), bytes.size()); }

}  // namespace

TEST_CASE("PTX and machine code are found, whatever the size of an entry's header") {
  Bytes bytes = container();
  add_entry(bytes, 2, 80,
            "\x7f"
            "ELF…",
            0x11, 64);
  add_entry(bytes, 1, 80, ".version 9.0", 0x11, 120);
  add_entry(bytes, 1, 90, ".version 9.1", 0x11, 144);
  const FatBinary fat = read(bytes);
  CHECK(fat.problem == "");
  REQUIRE(fat.ptx.size() == 2);
  CHECK(fat.ptx[0].text == ".version 9.0");
  CHECK(fat.ptx[0].arch == 80);
  CHECK(fat.ptx[1].text == ".version 9.1");
  CHECK(fat.ptx[1].arch == 90);
  REQUIRE(fat.cubins.size() == 1);
  CHECK(fat.cubins[0].arch == 80);
}

TEST_CASE("compressed PTX is refused with the option that helps") {
  for (const std::uint64_t flag : {0x2000, 0x8000}) {
    Bytes bytes = container();
    add_entry(bytes, 1, 80, "(/-packed", 0x11 | flag);
    CHECK(read(bytes).problem.find("--no-compress") != std::string::npos);
  }
}

TEST_CASE("entries of other kinds are passed over") {
  Bytes bytes = container();
  add_entry(bytes, 8, 80, "something new");
  add_entry(bytes, 1, 80, ".version 9.0");
  CHECK(read(bytes).ptx.size() == 1);
}

TEST_CASE("a container that is cut short is refused, wherever the cut is") {
  Bytes bytes = container();
  add_entry(bytes, 1, 80, ".version 9.0");
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    CAPTURE(n);
    CHECK(read(cut).problem != "");
  }
}

TEST_CASE("sizes that lie do not lead outside") {
  Bytes good = container();
  add_entry(good, 1, 80, ".version 9.0");
  for (const std::uint64_t size :
       {std::uint64_t{1} << 40, ~std::uint64_t{0}, ~std::uint64_t{0} - 63}) {
    Bytes bytes = good;
    put<std::uint64_t>(bytes, 16 + 8, size);
    CHECK(read(bytes).problem != "");
  }
  for (const std::uint32_t header : {0u, 1u, 63u, 0xffffffffu}) {
    Bytes bytes = good;
    put<std::uint32_t>(bytes, 16 + 4, header);
    CHECK(read(bytes).problem != "");
  }
}

TEST_CASE("damaged bytes are read or refused, and nothing else") {
  Bytes good = container();
  add_entry(good, 2, 80,
            "\x7f"
            "ELF and more of it");
  add_entry(good, 1, 80, ".version 9.0");
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    Bytes bytes = good;
    for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    for (const FatBinary::Ptx& ptx : read(bytes).ptx) {
      CHECK(ptx.text.data() >= reinterpret_cast<const char*>(bytes.data()));
      CHECK(ptx.text.data() + ptx.text.size() <=
            reinterpret_cast<const char*>(bytes.data() + bytes.size()));
    }
  }
}

TEST_CASE("a program of several linked parts is told to stay in one file") {
  struct Wrapper {
    std::uint32_t magic = 0x466243b1, version = 2;
    const void* data = nullptr;
    void* more = nullptr;
  } wrapper;
  CHECK(read_fat_binary_wrapper(&wrapper).problem.find("-rdc") != std::string::npos);
  wrapper.magic = 1;
  CHECK(read_fat_binary_wrapper(&wrapper).problem != "");
}

TEST_CASE("machine code that is none tells nothing and does no harm") {
  CHECK(read_cubin({}).empty());
  Bytes bytes(4096);
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    std::memcpy(bytes.data(),
                "\x7f"
                "ELF\x02",
                5);
    put<std::uint64_t>(bytes, 40, random() % 4096);  // section headers within the file
    put<std::uint16_t>(bytes, 60, static_cast<std::uint16_t>(random() % 20));
    put<std::uint16_t>(bytes, 62, static_cast<std::uint16_t>(random() % 20));
    read_cubin(bytes);
  }
}
