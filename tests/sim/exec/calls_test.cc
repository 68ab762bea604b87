// Calls: what a kernel can reach through a pointer, and how deep it may go.
#include "kernel.h"

using namespace exec_tests;
using sim::exec::Status;

namespace {

const std::string unsupported = R"(
    .func (.param .b32 r) area(.param .b32 n) {
      .reg .b32 %r<3>;
      ld.param.u32 %r1, [n]; frobnicate.u32 %r2, %r1; st.param.b32 [r], %r2; ret; })";

// Calls what %d5 points to.
std::string calling(const std::string& pointer) {
  return kernel("proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n" + pointer + R"(
      {
        .param .b32 p0; .param .b32 r0;
        st.param.b32 [p0], %r1;
        call (r0), %d5, (p0), proto;
        ld.param.b32 %r3, [r0];
      }
      st.global.u32 [%d2], %r3;
      ret;)");
}

std::string refused(const std::string& module) {
  const sim::test::PtxKernel k(module);
  REQUIRE(k.problem == "");
  return k.refusals();
}

// Each thread calls itself `depth` times, with 48 bytes of its own for each call.
Status recursing(int depth) {
  const std::string module = R"(
    .func deeper(.param .b32 n) {
      .reg .pred %p<2>; .reg .b32 %r<3>; .local .align 4 .b8 own[48];
      ld.param.u32 %r1, [n];
      st.local.u32 [own], %r1;
      setp.eq.u32 %p1, %r1, 0;
      @%p1 bra end;
      sub.u32 %r2, %r1, 1;
      { .param .b32 p0; st.param.b32 [p0], %r2; call.uni deeper, (p0); }
    end:
      ret; })";
  return run(module + kernel("{ .param .b32 p0; st.param.b32 [p0], " + std::to_string(depth) +
                             "; call.uni deeper, (p0); } ret;"),
             {0})
      .status;
}

}  // namespace

TEST_CASE("a function that only a pointer reaches is looked through before the launch") {
  CHECK(refused(unsupported + calling("mov.u64 %d5, area;")) == "frobnicate.u32\n");
}

TEST_CASE("so is a virtual one, which only a table names") {
  const std::string table = ".global .align 8 .u64 table[1] = {area};\n";
  const std::string look_up = "mov.u64 %d4, table; ld.global.u64 %d5, [%d4];";
  CHECK(refused(unsupported + table + calling(look_up)) == "frobnicate.u32\n");
}

TEST_CASE("a function that nothing can reach refuses no kernel") {
  CHECK(refused(unsupported + kernel("ret;")) == "");
}

TEST_CASE("recursion fits into the stack of 1024 bytes, or is stopped") {
  CHECK(recursing(16) == Status::completed);
  CHECK(recursing(17) == Status::stack_overflow);
}
