// Where .shared variables lie.
#include "module.h"
#include "sim/ir/shared_layout.h"

using namespace sim::ir;
using namespace ir_tests;

namespace {

std::uint32_t offset_of(const Function& kernel, const std::string& name) {
  for (const SharedVariable& v : kernel.shared_variables)
    if (v.name == name) return v.offset;
  FAIL("no shared variable " << name);
  return 0;
}

}  // namespace

TEST_CASE("variables of a kernel: one behind another, aligned, no overlap") {
  const Loaded m = body(
      ".shared .align 1 .b8 a[5]; .shared .align 16 .b8 b[32];"
      "st.shared.u8 [a+4], %rs0; st.shared.u32 [b+8], %r0; ret;");
  const Function& k = m.kernel();
  const std::uint32_t a = offset_of(k, "a"), b = offset_of(k, "b");
  CHECK(b % 16 == 0);
  CHECK((a + 5 <= b || b + 32 <= a));
  CHECK(k.shared_bytes >= 37);
  CHECK(k.code[0].address.displacement == a + 4);
  CHECK(k.code[1].address.displacement == b + 8);
}

TEST_CASE("dynamic shared memory starts behind the static variables, at its alignment") {
  const Loaded m = load(".extern .shared .align 16 .b8 dynamic[];" +
                        kernel_text(".shared .align 4 .b8 a[20];"
                                    "st.shared.u32 [a], %r0; mov.u32 %r1, dynamic; ret;"));
  CHECK(offset_of(m.kernel(), "dynamic") == 32);
  CHECK(m.kernel().shared_bytes == 32);
  CHECK(m.code()[1].ends_with("0x20"));
}

TEST_CASE("a kernel pays only for what it can reach") {
  const Loaded m = load(
      ".shared .align 4 .b8 big[4096]; .shared .align 4 .b8 small[8];"
      ".entry other() { .reg .b32 %r<2>; mov.u32 %r1, big; ret; }" +
      kernel_text("mov.u32 %r1, small; ret;"));
  CHECK(m.function("other").shared_bytes == 4096);
  CHECK(m.kernel().shared_bytes == 8);
}

TEST_CASE("a variable that a device function names lies at one place in all kernels that call it") {
  const std::string call = "call f; ret;";
  const Loaded m = load(
      ".shared .align 4 .b8 s[64];"
      ".func f() { .reg .b32 %r<2>; st.shared.u32 [s+4], %r1; ret; }"
      ".entry other() { .shared .align 4 .b8 x[100]; .reg .b32 %r<2>;"
      "st.shared.u32 [x], %r1; " +
      call + "}" + kernel_text(call));
  const std::uint32_t s = offset_of(m.kernel(), "s");
  CHECK(offset_of(m.function("other"), "s") == s);
  CHECK(m.function("f").code[0].address.displacement == s + 4);
  const std::uint32_t x = offset_of(m.function("other"), "x");
  CHECK((x + 100 <= s || s + 64 <= x));
  CHECK(m.kernel().shared_bytes == 64);
}

TEST_CASE("a function called only through a pointer is reached too") {
  const Loaded m = load(
      ".shared .align 4 .b8 s[64];"
      ".func f() { .reg .b32 %r<2>; st.shared.u32 [s], %r1; ret; }" +
      kernel_text("p: .callprototype () _ ();"
                  "mov.u64 %rd0, f; call %rd0, (), p; ret;"));
  CHECK(m.kernel().shared_bytes == 64);
}

TEST_CASE("the memory kept for cooperative groups has a place of its own") {
  const Loaded m = body(
      ".shared .align 4 .b8 a[4];"
      "mov.u32 %r1, %reserved_smem_offset_1; mov.u32 %r2, a; st.shared.u32 [%r1], %r2; ret;");
  const Function& k = m.kernel();
  REQUIRE(reserved_shared_of(k));
  const SharedVariable& kept = *reserved_shared_of(k);
  const std::uint32_t a = offset_of(k, "a");
  CHECK(kept.bytes == 288);
  CHECK(kept.offset % 8 == 0);
  CHECK((a + 4 <= kept.offset || kept.offset + kept.bytes <= a));
  CHECK(own_shared_bytes(k) < 16);
  CHECK_FALSE(reserved_shared_of(body("ret;").kernel()));
}
