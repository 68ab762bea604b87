// Initcheck: to copy what nobody wrote is no mistake, to compute with it is one.
#include "sim/check/initcheck.h"

#include <doctest/doctest.h>

#include "support/ptx_kernel.h"

using sim::check::Finding;
using sim::check::Kind;

namespace {

// A warp in which each lane loads its word of `in` into %r2. The first 64 bytes of `in` are
// written: those of lanes 0 to 15. Then come `lines`, from line 2 on.
std::vector<Finding> unwritten(const std::vector<std::string>& lines,
                               const std::string& functions = "") {
  std::string text = functions + R"(.visible .entry k(.param .u64 in, .param .u64 out) {
    .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>;
    .shared .align 16 .b8 s[128];
    ld.param.u64 %d1, [in];
    ld.param.u64 %d2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d3, %r1, 4;
    mov.u32 %r7, s;
    mad.lo.u32 %r7, %r1, 4, %r7;
    add.s64 %d1, %d1, %d3;
    add.s64 %d2, %d2, %d3;
    .loc 1 1 0
    ld.global.u32 %r2, [%d1];
)";
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += ".loc 1 " + std::to_string(i + 2) + " 0\n" + lines[i] + "\n";
  sim::test::PtxKernel k(text + "ret;\n}\n.file 1 \"/home/ada/init.cu\"\n");
  REQUIRE(k.problem == "");
  const auto* in = k.memory.allocate(128, sim::memory::Kind::device, {}, sim::test::host_line(5));
  const auto* out = k.memory.allocate(128, sim::memory::Kind::device, {}, sim::test::host_line(6));
  REQUIRE(in->written);
  in->written->mark(0, 64);
  return k.run({1}, {32}, in->begin, out->begin).unwritten;
}

const std::string store = "st.global.u32 [%d2], %r3;";

}  // namespace

TEST_CASE("a sum with what nobody wrote is told at the read, once for all lanes") {
  const auto found = unwritten({"add.u32 %r3, %r2, 1;", store});
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::uninitialised_read);
  CHECK(found[0].where.line == 1);
  CHECK(found[0].thread->x == 16);
}

TEST_CASE("a copy of what nobody wrote is none, until somebody computes with the copy") {
  CHECK(unwritten({"mov.u32 %r3, %r2;", store}).empty());
  const auto found =
      unwritten({"mov.u32 %r3, %r2;", store, "ld.global.u32 %r4, [%d2];",
                 "setp.eq.u32 %p1, %r4, 0; @%p1 bra there;", "st.global.u32 [%d2], 7; there:"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.line == 4);
}

TEST_CASE("of a copy in shared memory the read is told that took it from where it was") {
  const auto found = unwritten(
      {"st.shared.u32 [%r7], %r2;", "ld.shared.u32 %r4, [%r7];", "add.u32 %r3, %r4, 1;", store});
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.line == 1);
  REQUIRE(found[0].allocation);
  CHECK(found[0].allocation->made.line == 5);
}

TEST_CASE("what is computed and then left unused is none") {
  CHECK(unwritten({"add.u32 %r3, %r2, 1;", "mov.u32 %r3, 0;", store}).empty());
}

TEST_CASE("lanes that read only what was written are fine") {
  CHECK(unwritten({"add.u32 %r3, %r2, 1; setp.lt.u32 %p1, %r1, 16;", "@%p1 " + store}).empty());
}

TEST_CASE("what nobody wrote passes through a call, there and back") {
  const std::string same = R"(.func (.param .b32 result) same(.param .b32 given) {
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [given];
    st.param.b32 [result], %r1;
    ret;
})";
  const std::string call = R"({ .param .b32 given; .param .b32 result;
    st.param.b32 [given], %r2;
    call.uni (result), same, (given);
    ld.param.b32 %r3, [result]; })";
  CHECK(unwritten({call, store}, same).empty());
  const auto found = unwritten({call, "add.u32 %r3, %r3, 1;", store}, same);
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.line == 1);
  CHECK(found[0].occurrences == 16);
}

TEST_CASE("ldmatrix gives each lane its part of a row, written or not") {
  // Rows 0 to 3 of 8 are written. Lanes 0 to 15 get those, 16 to 31 the others.
  const std::vector<std::string> load = {
      "setp.lt.u32 %p1, %r1, 16; mov.u32 %r4, s; mad.lo.u32 %r5, %r1, 4, %r4;",
      "@%p1 st.shared.u32 [%r5], %r1;", "bar.warp.sync -1;",
      "and.b32 %r6, %r1, 7; mad.lo.u32 %r6, %r6, 16, %r4;",
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r6];"};
  const auto then = [&](const std::string& last) {
    std::vector<std::string> lines = load;
    lines.push_back("add.u32 %r3, %r3, 1;");
    lines.push_back(last);
    return lines;
  };
  CHECK(unwritten(then("@%p1 " + store)).empty());
  const auto found = unwritten(then(store));
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.line == 6);
  CHECK(found[0].occurrences == 16);
}

TEST_CASE("a row of a product is of its own row and of nothing else") {
  // %r2 holds rows 8 to 15 of A; of those, lanes 16 to 31 have 12 to 15.
  const std::string multiply =
      "mov.u32 %r4, 0; mov.f32 %f1, 0f00000000; mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%f2, %f3, %f4, %f5}, {%r4, %r2}, {%r4}, {%f1, %f1, %f1, %f1};";
  CHECK(unwritten({multiply, "st.global.f32 [%d2], %f2;"}).empty());
  const auto found = unwritten({multiply, "st.global.f32 [%d2], %f4;"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.line == 1);
  CHECK(found[0].occurrences == 16);
}

TEST_CASE("a column of a fragment is of its own column, wherever it is loaded from") {
  // What nobody wrote is column 0 of A, which lanes 0, 4, 8 ... have in their first register; the
  // others have other columns. %r9: whether those lanes store it, too.
  for (const std::string space : {"shared", "global"}) {
    sim::test::PtxKernel k(R"(
.shared .align 32 .b8 s[512];
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 all) {
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %d<8>;
  ld.param.u64 %d1, [in];
  ld.param.u64 %d2, [out];
  ld.param.u32 %r9, [all];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d3, %r1, 16;
  add.s64 %d3, %d1, %d3;
  mov.u32 %r2, s;
  mad.lo.u32 %r3, %r1, 16, %r2;
  ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%d3];
  st.shared.v4.u32 [%r3], {%r4, %r5, %r6, %r7};
  bar.warp.sync -1;
  wmma.load.a.sync.aligned.col.m16n16k16.)" +
                           space + ".f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, [" +
                           (space == "shared" ? "%r2" : "%d1") + R"(], 16;
  add.u32 %r10, %r10, 1;
  and.b32 %r18, %r1, 3;
  or.b32 %r18, %r18, %r9;
  setp.ne.u32 %p1, %r18, 0;
  mul.wide.u32 %d3, %r1, 4;
  add.s64 %d2, %d2, %d3;
  @%p1 st.global.u32 [%d2], %r10;
  ret;
})");
    REQUIRE(k.problem == "");
    const auto* in = k.memory.allocate(512, sim::memory::Kind::device);
    const auto* out = k.memory.allocate(128, sim::memory::Kind::device);
    in->written->mark(32, 480);
    CAPTURE(space);
    CHECK(k.run({1}, {32}, in->begin, out->begin, 0u).unwritten.empty());
    if (space == "global") continue;  // there, lanes exchange what they load: it is not followed
    const auto found = k.run({1}, {32}, in->begin, out->begin, 1u).unwritten;
    REQUIRE(found.size() == 1);
    CHECK(found[0].occurrences == 8);
  }
}
