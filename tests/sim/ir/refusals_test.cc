// What is not simulated is refused by name, with the line of its first use.
#include "module.h"
#include "sim/exec/step.h"

using namespace sim::ir;
using namespace ir_tests;

namespace {

std::vector<std::string> refused(const std::string& statements,
                                 sim::ir::Support support = nullptr) {
  const Loaded m = load(kernel_text(statements), support);
  std::vector<std::string> result;
  for (const Function::Refusal& r : m.kernel().refusals) result.push_back(r.what);
  return result;
}
using What = std::vector<std::string>;

std::string no_square_roots(const Instruction& i) {
  // The executor sees the instruction with its operands in place.
  CHECK((i.opcode == Opcode::ret || i.results.size() == 1));
  return i.opcode == Opcode::sqrt ? "no square roots" : "";
}

}  // namespace

TEST_CASE("an instruction that is not implemented, whatever its operands") {
  CHECK(refused("tensormap.cp_fenceproxy.whatever {%f1, %f2}, [%rd1, {%f5, %f6}]; ret;") ==
        What{"tensormap.cp_fenceproxy.whatever"});
  CHECK(refused("setmaxnreg.dec.sync.aligned.u32 64; ret;") ==
        What{"setmaxnreg.dec.sync.aligned.u32"});
}

TEST_CASE("forms for which GPUs do something else than the manual says") {
  const auto by_executor = [](const std::string& statement) {
    return refused(statement + " ret;", sim::exec::missing).size() == 1;
  };
  CHECK(by_executor("vadd.u32.u32.u32.max %r1, %r2, %r3, %r4;"));
  CHECK(by_executor("vadd.u32.u32.u32.sat %r1.b0, %r2, %r3, %r4;"));
  CHECK(by_executor("vshl.u32.u32.u32.sat.wrap %r1, %r2, %r3;"));
  CHECK(by_executor("vabsdiff.u32.s32.u32.sat %r1, %r2, %r3;"));
  CHECK_FALSE(by_executor("vabsdiff.u32.s32.u32.sat %r1, %r2.h0, %r3;"));
  CHECK_FALSE(by_executor("vadd.u32.u32.u32.add %r1, %r2, %r3, %r4;"));
}

TEST_CASE("an instruction that does not exist") {
  CHECK(refused("frobnicate.u32 %r1, %r2; ret;") == What{"frobnicate.u32"});
}

TEST_CASE("a suffix that is not known") {
  CHECK(refused("add.sideways.s32 %r1, %r2, %r3; ret;") == What{"add.sideways.s32"});
  CHECK(refused("add..s32 %r1, %r2, %r3; ret;") == What{"add..s32"});
}

TEST_CASE("what the executor does not support") {
  CHECK(refused("sqrt.rn.f32 %f1, %f2; ret;", no_square_roots) == What{"sqrt.rn.f32"});
  CHECK(refused("add.rn.f32 %f1, %f2, %f3; ret;", no_square_roots) == What{});
}

TEST_CASE("a special register that this machine does not have") {
  CHECK(refused("mov.u32 %r1, %cluster_ctarank; ret;") ==
        What{"the special register %cluster_ctarank"});
  CHECK(refused("mov.u32 %r1, %pm3; ret;") == What{"the special register %pm3"});
}

TEST_CASE("each thing once, at the line of its first use") {
  const Loaded m =
      load(".file 1 \"main.cu\"\n" + kernel_text(".loc 1 4 1\n tanh2.f32 %f1, %f2;\n .loc 1 9 1\n"
                                                 "tanh2.f32 %f1, %f2; tanh3.f32 %f1, %f2; ret;"));
  const auto& refusals = m.kernel().refusals;
  REQUIRE(refusals.size() == 2);
  CHECK(m.module->locations[static_cast<std::size_t>(refusals[0].location)].line == 4);
  CHECK(m.module->locations[static_cast<std::size_t>(refusals[1].location)].line == 9);
}

TEST_CASE("a launch in clusters") {
  const Loaded m = load(".entry k() .explicitcluster .reqnctapercluster 2 { ret; }");
  REQUIRE(m.kernel().refusals.size() == 1);
  CHECK(m.kernel().refusals[0].what == "a launch in thread block clusters");
}

TEST_CASE("a kernel beside a refused one is sound") {
  const Loaded m = load(".entry other() { brkpt2; ret; }" + kernel_text("ret;"));
  CHECK(m.function("other").refusals.size() == 1);
  CHECK(m.kernel().refusals.empty());
}

TEST_CASE("forms of textures that the hardware has and we do not") {
  CHECK(refused("tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2, %r3, %r3}]; ret;") ==
        What{"tex.2dms.v4.f32.s32"});
  CHECK(refused("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}], {%r1, %r2}; ret;") ==
        What{"tex with an offset or a depth to compare with"});
}
