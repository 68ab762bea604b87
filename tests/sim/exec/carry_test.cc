// 128-bit arithmetic by chains of 32- and 64-bit instructions, against the compiler's own.
#include "kernel.h"

using namespace exec_tests;

namespace {

__extension__ typedef unsigned __int128 u128;

// Each thread gets two numbers of 128 bits and gives one: four words at %d3, from %d4 and %d5.
std::string chain(const std::string& statements) {
  return kernel(R"(
    mul.wide.u32 %d3, %r1, 48;
    add.s64 %d3, %d1, %d3;
    ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d3+16];
    ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%d3+32];
    ld.global.v2.u64 {%d4, %d5}, [%d3+16];
    ld.global.v2.u64 {%d6, %d7}, [%d3+32];
)" + statements +
                "\n ret;");
}
const std::string store_words = "st.global.v4.u32 [%d3], {%r10, %r11, %r12, %r13};";
const std::string store_halves = "st.global.v2.u64 [%d3], {%d10, %d11};";

struct Row {
  u128 result, a, b;
};

template <class F>
void check(const std::string& statements, F&& expected) {
  // Numbers whose words are full of ones and zeros: carries run far or stop at once.
  std::vector<Row> rows(32);
  std::uint64_t seed = 88172645463325252u;
  const auto word = [&]() -> std::uint64_t {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    const std::uint64_t words[] = {0, ~std::uint64_t{0}, 1, seed};
    return words[seed >> 40 & 3];
  };
  for (Row& row : rows) {
    row.a = u128{word()} << 64 | word();
    row.b = u128{word()} << 64 | word();
  }
  std::vector<std::uint32_t> words(rows.size() * 12);
  std::memcpy(words.data(), rows.data(), words.size() * 4);
  const Ran r = run(chain(statements), words);
  REQUIRE(r.status == sim::exec::Status::completed);
  std::memcpy(rows.data(), r.out.data(), words.size() * 4);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    CHECK(rows[i].result == expected(rows[i].a, rows[i].b));
  }
}

}  // namespace

TEST_CASE("addition, word by word") {
  check(
      "add.cc.u32 %r10, %r2, %r6; addc.cc.u32 %r11, %r3, %r7; addc.cc.u32 %r12, %r4, %r8;"
      "addc.u32 %r13, %r5, %r9;" +
          store_words,
      [](u128 a, u128 b) { return a + b; });
  check("add.cc.s64 %d10, %d4, %d6; addc.s64 %d11, %d5, %d7;" + store_halves,
        [](u128 a, u128 b) { return a + b; });
}

TEST_CASE("subtraction, word by word") {
  check(
      "sub.cc.u32 %r10, %r2, %r6; subc.cc.u32 %r11, %r3, %r7; subc.cc.u32 %r12, %r4, %r8;"
      "subc.u32 %r13, %r5, %r9;" +
          store_words,
      [](u128 a, u128 b) { return a - b; });
  check("sub.cc.s64 %d10, %d4, %d6; subc.s64 %d11, %d5, %d7;" + store_halves,
        [](u128 a, u128 b) { return a - b; });
}

TEST_CASE("a product of two words added to a double word") {
  check("mad.lo.cc.u64 %d10, %d4, %d6, %d5; madc.hi.u64 %d11, %d4, %d6, %d7;" + store_halves,
        [](u128 a, u128 b) {
          const auto low = [](u128 x) { return static_cast<std::uint64_t>(x); };
          return u128{low(a)} * low(b) + (u128{low(b >> 64)} << 64 | low(a >> 64));
        });
}

TEST_CASE("lanes that do not take part keep their carry") {
  // Odd lanes skip the first addition: their carry is still that of the one before.
  const Ran r = run(kernel(R"(
      mov.u32 %r2, 0xffffffff;
      add.cc.u32 %r3, %r2, 1;
      and.b32 %r4, %r1, 1;
      setp.eq.u32 %p1, %r4, 0;
      @%p1 add.cc.u32 %r3, %r2, 0;
      addc.u32 %r5, 0, 0;
      st.global.u32 [%d2], %r5;
      ret;)"),
                    std::vector<std::uint32_t>(32, 9));
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(r.out[i] == i % 2);
}
