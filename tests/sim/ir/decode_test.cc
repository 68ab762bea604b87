// Names to numbers: registers, constants, parameters, calls, initial values.
#include <cstring>
#include <set>

#include "module.h"

using namespace sim::ir;
using namespace ir_tests;
using Code = std::vector<std::string>;

TEST_CASE("registers are 32-lane arrays that start on cache lines") {
  const Loaded m = body("cvt.u64.u16 %rd0, %rs1; add.u32 %r0, %r1, %r2; setp.eq.u32 %p0, %r0, 0;");
  std::set<std::pair<std::uint32_t, std::uint32_t>> arrays;  // from, to
  for (const Operand& o : m.kernel().operands) {
    if (o.bank != Bank::frame) continue;
    const std::uint32_t bytes = o.bytes == 0 ? 4 : 32u * o.bytes;
    if (o.bytes != 0) CHECK(o.offset % 64 == 0);
    CHECK(o.offset + bytes <= m.kernel().frame_bytes);
    arrays.insert({o.offset, o.offset + bytes});
  }
  std::uint32_t end = 0;
  for (const auto& [from, to] : arrays) {
    CHECK(from >= end);
    end = to;
  }
  CHECK(arrays.size() == 6);
}

TEST_CASE("a register is one array wherever it is named") {
  const Loaded m = body("add.u32 %r0, %r1, %r0; ret;");
  const Instruction& i = m.kernel().code[0];
  CHECK(i.results[0].offset == i.sources[1].offset);
  CHECK(i.results[0].offset != i.sources[0].offset);
}

TEST_CASE("registers of a scope are its own") {
  const Loaded m = body(
      "mov.u32 %r1, 1; { .reg .b32 %r<4>; mov.u32 %r1, 2; }"
      "{ .reg .b32 t; mov.u32 t, 3; } { .reg .b64 t; mov.u64 t, 4; }"
      "mov.u32 %r1, 5;");
  const auto& code = m.kernel().code;
  CHECK(code[0].results[0].offset != code[1].results[0].offset);
  CHECK(code[0].results[0].offset == code[4].results[0].offset);
  CHECK(code[2].results[0].offset != code[3].results[0].offset);
  CHECK(code[3].results[0].bytes == 8);
}

TEST_CASE("labels of a scope are its own") {
  const Loaded m = body("{ L: add.u32 %r0, %r0, 1; @%p0 bra L; } { L: @%p0 bra L; } ret;");
  CHECK(m.kernel().code[1].target == 0);
  CHECK(m.kernel().code[2].target == 2);
}

TEST_CASE("a label of an outer scope is known inside, before and behind") {
  const Loaded m = body("A: { bra A; bra B; } B: ret;");
  CHECK(m.kernel().code[0].target == 0);
  CHECK(m.kernel().code[1].target == 2);
}

TEST_CASE("a constant is kept once") {
  const Loaded m = body(
      "add.u32 %r0, %r1, 7; add.u32 %r1, %r0, 7; add.u64 %rd0, %rd1, 7;"
      "mov.f32 %f0, 0f40E00000; ret;");
  CHECK(m.kernel().constants.size() == 3);  // 7 as 32 bits, as 64 bits, and 7.0f
  const auto& code = m.kernel().code;
  CHECK(code[0].sources[1].offset == code[1].sources[1].offset);
}

TEST_CASE("numbers take the instruction's type") {
  const Loaded m = body(
      "mov.f32 %f0, 0d3FF0000000000000; mov.f32 %f1, 1.5; mov.u32 %r0, -1;"
      "mov.u16 %rs0, -1; mov.b64 %rd0, 0f3F800000; mov.u32 %r1, WARP_SZ; ret;");
  CHECK(m.code() == Code{"mov.f32 f0, 0x3f800000", "mov.f32 f128, 0x3fc00000",
                         "mov.u32 f256, 0xffffffff", "mov.u16 f384, 0xffff",
                         "mov.b64 f448, 0x3ff0000000000000", "mov.u32 f704, 0x20", "ret"});
}

TEST_CASE("parameters lie in the order of the ABI, at their natural alignment") {
  const Loaded m = load(
      ".entry k(.param .u8 a, .param .u64 b, .param .u16 c, .param .align 16 .b8 d[20],"
      " .param .f32 e) { ret; }");
  std::vector<std::uint32_t> offsets;
  for (const Parameter& p : m.kernel().parameters) offsets.push_back(p.offset);
  CHECK(offsets == std::vector<std::uint32_t>{0, 8, 16, 32, 52});
  CHECK(m.kernel().parameter_bytes == 56);
}

TEST_CASE("addresses") {
  const Loaded m = load(".global .align 4 .b8 g[64];\n" +
                        kernel_text(".local .align 8 .b8 unused[8]; .local .align 4 .b8 l[12];"
                                    "ld.param.u32 %r0, [k_param_1];"
                                    "ld.global.u32 %r0, [g+8];"
                                    "ld.local.u32 %r0, [l+4];"
                                    "ld.shared.u32 %r0, [%r1+-4];"
                                    "st.u32 [%rd0+16], %r0;"
                                    "mov.u64 %rd0, g+4;"
                                    "mov.u64 %rd0, l; ret;"));
  CHECK(m.code() == Code{"ld.param.u32 f0, [8]", "ld.global.u32 f0, [g+0x0+8]",
                         "ld.local.u32 f0, [local+0x8+4]", "ld.shared.u32 f0, [f128-4]",
                         "st.u32 [f256+16], f0", "mov.u64 f256, g+0x4", "mov.u64 f256, local+0x8",
                         "ret"});
  CHECK(m.kernel().local_bytes == 20);
}

TEST_CASE("a variable decides the space of an access that names none") {
  const Loaded m =
      load(".const .u32 c; .global .u32 g;" + kernel_text("ld.u32 %r0, [c]; ld.u32 %r0, [g];"));
  CHECK(m.kernel().code[0].space == Space::constant);
  CHECK(m.kernel().code[1].space == Space::global);
}

TEST_CASE("vectors, pairs and sinks") {
  const Loaded m = body(
      "ld.global.v4.f32 {%f0, _, %f1, %f2}, [%rd0];"
      "setp.lt.s32 %p0|%p1, %r0, 1;"
      "shfl.sync.bfly.b32 %r0|_, %r1, 1, 31, -1;"
      "mov.b64 {%r0, %r1}, %rd0; mov.b64 %rd0, {%r0, %r1};"
      "st.global.v2.u32 [%rd0], {%r0, 5}; ret;");
  const auto& code = m.kernel().code;
  CHECK(code[0].vector == 4);
  CHECK(code[0].results.size() == 4);
  CHECK(code[0].results[1].sink);
  CHECK(code[1].results.size() == 2);
  CHECK(code[1].results[1].bytes == 0);
  CHECK(code[2].results[1].sink);
  CHECK(code[3].results.size() == 2);
  CHECK(code[4].sources.size() == 2);
  CHECK(code[5].sources.size() == 2);
}

TEST_CASE("an atomic whose answer nobody reads says so") {
  const Loaded m = body(
      "atom.global.add.u32 _, [%rd0], 1; atom.global.add.u32 %r0, [%rd0], 1;"
      "atom.global.add.u32 %r1, [%rd0], 1; mov.u32 %r2, %r1; ret;");
  CHECK_FALSE(m.kernel().code[0].return_value_used);
  CHECK_FALSE(m.kernel().code[1].return_value_used);
  CHECK(m.kernel().code[2].return_value_used);
}

TEST_CASE("the carry flag is a predicate between the instructions of a chain") {
  const Loaded m =
      body("add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r4, %r5, %r6; addc.u32 %r7, %r5, 0;");
  const auto& code = m.kernel().code;
  REQUIRE(code[0].results.size() == 2);
  const Operand carry = code[0].results[1];
  CHECK(carry.bytes == 0);
  const auto is_carry = [&](const Operand& o) {
    return o.bank == carry.bank && o.offset == carry.offset;
  };
  REQUIRE(code[1].sources.size() == 3);
  CHECK(is_carry(code[1].sources[2]));
  REQUIRE(code[1].results.size() == 2);
  CHECK(is_carry(code[1].results[1]));
  CHECK(code[2].results.size() == 1);
  REQUIRE(code[2].sources.size() == 3);
  CHECK(is_carry(code[2].sources[2]));
}

TEST_CASE("mnemonics: types, spaces and modifiers") {
  const Loaded m = body(
      "fma.rn.ftz.f32 %f0, %f1, %f2, %f3; mul.wide.s16 %r0, %rs0, %rs1;"
      "ld.volatile.shared.u32 %r0, [%r1]; ld.acquire.gpu.global.u32 %r0, [%rd0];"
      "setp.ltu.and.f32 %p0, %f0, %f1, !%p1; cvt.rzi.s32.f32 %r0, %f0;"
      "cvta.to.global.u64 %rd0, %rd1; shf.l.wrap.b32 %r0, %r1, %r2, 3;"
      "ld.global.nc.L2::128B.u32 %r0, [%rd0];"
      "ld.global.L2::cache_hint.u32 %r0, [%rd0], %rd1; ret;");
  CHECK(m.kernel().refusals.empty());
  const auto modifiers = [&](std::size_t i) { return m.kernel().code[i].modifiers; };
  CHECK(modifiers(0).rounding == sim::ptx::Rounding::rn);
  CHECK(modifiers(0).ftz);
  CHECK(modifiers(1).part == sim::ptx::MulPart::wide);
  CHECK(m.kernel().code[1].results[0].bytes == 4);
  CHECK(modifiers(2).semantics == sim::ptx::Semantics::volatile_);
  CHECK(m.kernel().code[2].space == Space::shared);
  CHECK(modifiers(3).semantics == sim::ptx::Semantics::acquire);
  CHECK(modifiers(3).scope == sim::ptx::Scope::gpu);
  CHECK(modifiers(4).compare == sim::ptx::Compare::ltu);
  CHECK(modifiers(4).boolean == sim::ptx::Boolean::bit_and);
  CHECK(m.kernel().code[4].sources[2].negated);
  CHECK(m.kernel().code[5].type == Type::s32);
  CHECK(m.kernel().code[5].source_type == Type::f32);
  CHECK(modifiers(5).rounding == sim::ptx::Rounding::rzi);
  CHECK(modifiers(6).to_space);
  CHECK(modifiers(7).left);
  CHECK(modifiers(8).read_only);
  CHECK_FALSE(modifiers(9).read_only);
  CHECK(modifiers(7).shift == sim::ptx::ShiftMode::wrap);
}

TEST_CASE("a conversion may read and write wider registers") {
  const Loaded m = body("cvt.u16.u8 %rs0, %rs1; cvt.u32.u8 %r0, %r1; ld.u8 %r0, [%rd0]; ret;");
  CHECK(m.kernel().code[0].sources[0].bytes == 2);
  CHECK(m.kernel().code[1].sources[0].bytes == 4);
  CHECK(m.kernel().code[2].results[0].bytes == 4);
}

TEST_CASE("a call copies its arguments into the callee's parameters, and its results back") {
  const Loaded m =
      load(".func (.param .align 8 .b8 out[16]) f(.param .b32 a, .param .b64 b) { ret; }" +
           kernel_text("{ .param .b32 p0; .param .b64 p1; .param .align 8 .b8 r0[16];"
                       "st.param.b32 [p0], %r0; st.param.b64 [p1], %rd0;"
                       "call.uni (r0), f, (p0, p1); ld.param.b64 %rd1, [r0+8]; } ret;"));
  const Function& f = m.function("f");
  REQUIRE(f.results.size() == 1);
  CHECK(f.parameters[1].offset == 8);
  CHECK(f.results[0].offset == 16);
  const Instruction& call = m.kernel().code[2];
  REQUIRE(call.opcode == Opcode::call);
  CHECK(call.callee == m.module->find_function("f"));
  REQUIRE(m.kernel().call_sites.size() == 1);
  const CallSite& site = m.kernel().call_sites[0];
  REQUIRE(site.arguments.size() == 2);
  CHECK(site.arguments[1].callee_offset == 8);
  CHECK(site.arguments[1].bytes == 8);
  CHECK(static_cast<std::int64_t>(site.arguments[1].caller_offset) ==
        m.kernel().code[1].address.displacement);
  REQUIRE(site.results.size() == 1);
  CHECK(site.results[0].callee_offset == 16);
  CHECK(static_cast<std::int64_t>(site.results[0].caller_offset) + 8 ==
        m.kernel().code[3].address.displacement);
  CHECK(m.kernel().parameter_bytes == 12);
  CHECK(m.kernel().area_bytes > site.results[0].caller_offset + 15);
}

TEST_CASE("a call through a pointer follows its prototype") {
  const Loaded m = load(
      ".func (.param .b32 r) f(.param .b32 a) { ret; }\n"
      ".global .u64 table[1] = {f};" +
      kernel_text("ld.global.u64 %rd0, [table];"
                  "{ .param .b32 p0; .param .b32 r0;"
                  "proto: .callprototype (.param .b32 _) _ (.param .b32 _);"
                  "call (r0), %rd0, (p0), proto; } mov.u64 %rd1, f; ret;"));
  const Instruction& call = m.kernel().code[1];
  REQUIRE(call.opcode == Opcode::call);
  CHECK(call.callee == -1);
  REQUIRE(call.sources.size() == 1);
  CHECK(call.sources[0].offset == m.kernel().code[0].results[0].offset);
  REQUIRE(m.kernel().call_sites.size() == 1);
  CHECK(m.kernel().call_sites[0].results[0].callee_offset == 4);
  const Variable& table = m.variable("table");
  REQUIRE(table.relocations.size() == 1);
  CHECK(table.relocations[0].function == m.module->find_function("f"));
  CHECK(m.code()[2].ends_with("f+0x0"));
}

TEST_CASE("a function that is only declared is the executor's to supply") {
  const Loaded m = load(".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);" +
                        kernel_text("ret;"));
  CHECK(m.function("vprintf").is_external);
  CHECK_FALSE(m.kernel().is_external);
  CHECK(m.kernel().is_entry);
}

TEST_CASE("initial values become bytes and relocations") {
  const Loaded m = load(R"(
    .global .align 4 .s16 n[3] = {1, -2, 0x1234};
    .global .f32 x = 2.5;
    .global .f64 y = 0f3F800000;
    .global .b32 zero[4] = {0, 0};
    .global .u64 to[2] = {generic(n)+2, 5};
    .global .align 8 .b8 packed[9] = {7, 0xFF(n), 0xFF00(n), 0xFF0000(n), 0xFF000000(n),
      0xFF00000000(n), 0xFF0000000000(n), 0xFF000000000000(n), 0xFF00000000000000(n)};)");
  const auto bytes = [&](const char* name) {
    std::vector<int> result;
    for (const std::byte b : m.variable(name).initial) result.push_back(static_cast<int>(b));
    return result;
  };
  CHECK(bytes("n") == std::vector<int>{1, 0, 0xfe, 0xff, 0x34, 0x12});
  CHECK(bytes("x") == std::vector<int>{0, 0, 0x20, 0x40});
  CHECK(bytes("y") == std::vector<int>{0, 0, 0, 0, 0, 0, 0xf0, 0x3f});
  CHECK(bytes("zero").empty());
  const Variable& to = m.variable("to");
  REQUIRE(to.relocations.size() == 1);
  CHECK(to.relocations[0].offset == 0);
  CHECK(to.relocations[0].addend == 2);
  CHECK(to.relocations[0].variable == m.module->find_variable("n"));
  CHECK(bytes("to")[8] == 5);
  const Variable& packed = m.variable("packed");
  REQUIRE(packed.relocations.size() == 1);
  CHECK(packed.relocations[0].offset == 1);
  CHECK(packed.bytes == 9);
}

TEST_CASE("code never runs off the end of a function") {
  CHECK(body("").code() == Code{"ret"});
  CHECK(body("add.u32 %r0, %r0, 1;").code().back() == "ret");
  CHECK(body("@%p0 bra end; ret; end:").code().back() == "ret");
  CHECK(body("@%p0 ret;").code().size() == 2);
  CHECK(body("ret;").code().size() == 1);
}

TEST_CASE("an alias is another name of the function") {
  const Loaded m = load(".func f() { ret; } .alias g, f;" + kernel_text("call g; ret;"));
  CHECK(m.kernel().code[0].callee == m.module->find_function("f"));
}

TEST_CASE("what is wrong with a text is said with its place") {
  const struct {
    const char* statements;
    const char* message;
  } rows[] = {
      {"add.u32 %r0, %r1, %r9;", "unknown name %r9"},
      {"add.u32 %x, %r1, 1;", "unknown register %x"},
      {"add.u32 k_param_1, %r1, 1;", "k_param_1 is no register, so it cannot hold the result"},
      {"add.u32 %r0, %rd1, 1;", "add needs 32 bits here, and %rd1 is 64 bits"},
      {"add.u64 %rd0, %r1, 1;", "add needs 64 bits here, and %r1 is 32 bits"},
      {"setp.eq.u32 %r0, %r1, 1;", "setp needs a predicate here, and %r0 is 32 bits"},
      {"@%r0 ret;", "%r0 is no predicate"},
      {"bra nowhere;", "there is no label nowhere"},
      {"{ inner: ret; } bra inner;", "there is no label inner"},
      {"L: ret; L: ret;", "the label L stands here twice"},
      {"brx.idx %r0, T;", "there is no table of targets T"},
      {"add.u32 %r0, %r1;", "add takes the operands d,a,b, and here are 2"},
      {"st.global.v2.u32 [%rd0], {%r0, %r1, %r2};",
       "st.global.v2.u32 moves 2 elements, and here are 3"},
      {"ld.shared.u32 %r0, [k_param_1];",
       "k_param_1 is in .param space, and the instruction is for .shared"},
      {"ld.u32 %r0, [%rs0];", "an address needs a register of 32 or 64 bits"},
      {"ld.u32 %r0, [gone];", "unknown name gone"},
      {"call gone;", "unknown function gone"},
      {"call k;", "a kernel cannot be called from a kernel"},
      {".reg .b32 t; .reg .b32 t;", "t is declared twice"},
      {".global .u32 inside;", "declare .global variables outside functions"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.statements);
    const Loaded m = try_load(kernel_text(row.statements));
    const std::string first_line = m.error.substr(0, m.error.find('\n'));
    CHECK(first_line.ends_with(std::string(", in k: ") + row.message));
    CHECK(m.error.find('^') != std::string::npos);
  }
}

TEST_CASE("a texture's handle, its coordinates and what follows them") {
  const Loaded m = body(
      "tex.level.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%rd1, {%f5, %f6, %f7, %f7}], 0f3F800000;"
      "tex.grad.2d.v4.s32.f32 {%r1, %r2, %r3, _}, [%rd2, {%f1, %f2}], {%f3, %f4}, {%f5, %f6};"
      "sust.b.a2d.v2.b16.trap [%rd3, {%r1, %r2, %r3, %r3}], {%rs1, %rs2}; ret;");
  const Instruction& level = m.kernel().code[0];
  CHECK(level.modifiers.geometry == sim::ptx::Geometry::d3);
  CHECK(level.modifiers.mip == sim::ptx::Mip::level);
  CHECK(level.address.base.bytes == 8);
  REQUIRE(level.results.size() == 5);
  CHECK(level.results[4].bytes == 0);  // whether the texel is there
  REQUIRE(level.sources.size() == 5);
  CHECK(level.sources[2].present());
  CHECK_FALSE(level.sources[3].present());
  CHECK(level.sources[4].bank == Bank::constant);
  const Instruction& grad = m.kernel().code[1];
  REQUIRE(grad.sources.size() == 10);  // 4 coordinates, then 3 for each derivative
  CHECK(grad.sources[5].present());
  CHECK_FALSE(grad.sources[6].present());
  CHECK(grad.sources[7].present());
  const Instruction& store = m.kernel().code[2];
  CHECK(store.modifiers.boundary == sim::ptx::Boundary::trap);
  REQUIRE(store.sources.size() == 6);
  CHECK(store.sources[4].bytes == 2);
}

TEST_CASE("a texture with too few coordinates") {
  CHECK(try_load(kernel_text("tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]; ret;"))
            .error.find("needs 3 coordinates") != std::string::npos);
}
