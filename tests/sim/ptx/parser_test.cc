// Text to ptx::Module: the forms that nvcc writes, and those of inline assembly.
#include "sim/ptx/parser.h"

#include <doctest/doctest.h>

#include <string>

using namespace sim::ptx;
using OperandKind = Operand::Kind;
using StatementKind = Statement::Kind;

namespace {

const std::string header = ".version 9.0\n.target sm_80\n.address_size 64\n";

// The text must outlive the module.
struct Parsed {
  std::string text;
  Module module;
  explicit Parsed(std::string body) : text(header + std::move(body)), module(parse(text)) {}
  const Function& kernel() const { return module.functions.back(); }
};

Parsed body(const std::string& statements) { return Parsed(".entry k() {\n" + statements + "\n}"); }

}  // namespace

TEST_CASE("the header tells version and target") {
  const Parsed p("");
  CHECK(p.module.version_major == 9);
  CHECK(p.module.version_minor == 0);
  CHECK(p.module.target == 80);
  CHECK(parse(".version 8.7\n.target sm_90a, debug\n.address_size 64").target == 90);
}

TEST_CASE("variables: types, arrays, alignment, attributes, linkage") {
  const Parsed p(R"(
    .global .align 4 .u32 counter;
    .visible .const .align 16 .b8 table[3][5];
    .extern .shared .align 16 .b8 dynamic[];
    .visible .global .attribute(.managed) .align 8 .f64 m, n[2];
    .global .v4 .f32 quad[2];
    .weak .global .texref image;)");
  const auto& v = p.module.variables;
  REQUIRE(v.size() == 7);
  CHECK(v[0].name == "counter");
  CHECK(v[0].space == Space::global);
  CHECK(v[0].bytes() == 4);
  CHECK(v[1].space == Space::constant);
  CHECK(v[1].elements == 15);
  CHECK(v[1].alignment == 16);
  CHECK(v[2].space == Space::shared);
  CHECK(v[2].is_external);
  CHECK(v[2].is_array);
  CHECK(v[2].bytes() == 0);
  CHECK(v[3].is_managed);
  CHECK(v[4].is_managed);
  CHECK(v[4].name == "n");
  CHECK(v[4].bytes() == 16);
  CHECK(v[5].bytes() == 32);
  CHECK(v[5].natural_alignment() == 16);
  CHECK(v[6].is_opaque);
}

TEST_CASE("initial values: numbers, nested lists, addresses") {
  const Parsed p(R"(
    .func f() { ret; }
    .global .s32 a[2][2] = {{1, -2}, {0x10}};
    .global .f32 x = 0f3F800000;
    .global .f64 y[2] = {0dBFF0000000000000, 2.5};
    .global .b8 text[] = {104, 105, 0};
    .global .u64 to[5] = {a, a+8, generic(a)+4, generic(x), f};
    .global .b8 bytes[8] = {0xFF(a), 0xFF00(a), 0xFF0000(generic(a)+4), 7};)");
  const auto& v = p.module.variables;
  REQUIRE(v.size() == 6);
  const auto bytes_of = [&](std::size_t k) {
    std::vector<int> bytes;
    for (const std::byte b : v[k].initial) bytes.push_back(static_cast<int>(b));
    return bytes;
  };
  CHECK(bytes_of(0) == std::vector{1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 16, 0, 0, 0});
  CHECK(bytes_of(1) == std::vector{0, 0, 0x80, 0x3f});
  CHECK(bytes_of(2) == std::vector{0, 0, 0, 0, 0, 0, 0xf0, 0xbf, 0, 0, 0, 0, 0, 0, 4, 0x40});
  CHECK(bytes_of(3) == std::vector{104, 105, 0});
  CHECK(v[3].elements == 3);

  const auto& to = v[4].addresses;
  REQUIRE(to.size() == 5);
  CHECK(to[0].symbol == "a");
  CHECK(to[1].addend == 8);
  CHECK(to[1].offset == 8);
  CHECK(to[2].symbol == "a");
  CHECK(to[2].addend == 4);
  CHECK(to[3].symbol == "x");
  CHECK(to[4].symbol == "f");
  const auto& bytes = v[5].addresses;
  REQUIRE(bytes.size() == 3);
  CHECK(bytes[1].byte_mask == 0xff00);
  CHECK(bytes[1].symbol == "a");
  CHECK(bytes[1].offset == 1);
  CHECK(bytes[2].addend == 4);
  CHECK(bytes_of(5) == std::vector{0, 0, 0, 7});
}

TEST_CASE("a kernel: parameters with their attributes, launch bounds") {
  const Parsed p(R"(
    .visible .entry k(
      .param .u64 .ptr .global .align 1 k_param_0,
      .param .align 16 .b8 k_param_1[48],
      .param .f32 k_param_2
    )
    .maxntid 256, 2
    .reqntid 128
    .minnctapersm 3
    { ret; })");
  const Function& k = p.kernel();
  CHECK(k.is_entry);
  REQUIRE(k.parameters.size() == 3);
  CHECK(k.parameters[0].bytes() == 8);
  CHECK(k.parameters[0].natural_alignment() == 8);  // .ptr .align is that of what it points at
  CHECK(k.parameters[1].bytes() == 48);
  CHECK(k.parameters[1].alignment == 16);
  CHECK(k.max_threads == std::array<std::uint32_t, 3>{256, 2, 1});
  CHECK(k.required_threads == std::array<std::uint32_t, 3>{128, 1, 1});
  CHECK(k.min_blocks_per_sm == 3);
}

TEST_CASE("device functions: declared, defined, external, not returning") {
  const Parsed p(R"(
    .extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
    .extern .func stop() .noreturn;
    .func (.param .align 8 .b8 out[16]) both(.param .b32 n);
    .weak .func (.param .align 8 .b8 out[16]) both(.param .b32 n) { ret; })");
  const auto& f = p.module.functions;
  REQUIRE(f.size() == 4);
  CHECK(f[0].is_external);
  CHECK(f[0].results.size() == 1);
  CHECK(f[0].parameters.size() == 2);
  CHECK_FALSE(f[1].has_body);
  CHECK_FALSE(f[2].has_body);
  CHECK_FALSE(f[2].is_external);
  CHECK(f[3].has_body);
  CHECK(f[3].results[0].bytes() == 16);
}

TEST_CASE("operands") {
  const Parsed p = body(R"(
    add.s32 %r1, %r2, -7;
    mov.f32 %f1, 0f7F800000;
    setp.eq.s32 %p1|%p2, %r1, 0;
    mov.b64 {%r1, _}, %rd1;
    ld.global.u32 %r1, [%rd1+-4];
    ld.param.u64 %rd1, [k_param_0];
    st.shared.u32 [16], %r1;
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];
    selp.b32 %r1, 1, 0, !%p1;)");
  const Function& k = p.kernel();
  REQUIRE(k.instructions.size() == 9);
  const auto operand = [&](std::size_t i, std::size_t o) {
    return k.operands_of(k.instructions[i])[o];
  };
  CHECK(operand(0, 2).kind == OperandKind::integer);
  CHECK(operand(0, 2).bits == static_cast<std::uint64_t>(-7));
  CHECK(operand(1, 1).kind == OperandKind::real);
  CHECK(operand(1, 1).is_float32);
  CHECK(operand(2, 0).kind == OperandKind::pair);
  CHECK(k.elements_of(operand(2, 0))[1].name == "%p2");
  CHECK(operand(3, 0).kind == OperandKind::vector);
  CHECK(k.elements_of(operand(3, 0))[1].kind == OperandKind::sink);
  CHECK(operand(4, 1).kind == OperandKind::address);
  CHECK(operand(4, 1).name == "%rd1");
  CHECK(operand(4, 1).offset == -4);
  CHECK(operand(5, 1).name == "k_param_0");
  CHECK(operand(6, 0).name.empty());
  CHECK(operand(6, 0).offset == 16);
  CHECK(operand(7, 1).kind == OperandKind::indirect);
  CHECK(k.elements_of(operand(7, 1)).size() == 2);
  CHECK(operand(8, 3).negated);
}

TEST_CASE("an offset is written +4, -4 or +-4") {
  const Parsed p = body(R"(
    ld.u32 %r1, [%rd1+4]; ld.u32 %r1, [%rd1-4]; ld.u32 %r1, [%rd1+-4];
    ld.u32 %r1, [%rd1 + 0x10]; ld.u32 %r1, [-8];)");
  std::vector<std::int64_t> offsets;
  for (const Instruction& i : p.kernel().instructions)
    offsets.push_back(p.kernel().operands_of(i)[1].offset);
  CHECK(offsets == std::vector<std::int64_t>{4, -4, -4, 16, -8});
}

TEST_CASE("guards") {
  const Parsed p = body("@%p1 bra done; @!%p2 exit; done: ret;");
  const auto& i = p.kernel().instructions;
  REQUIRE(i.size() == 3);
  CHECK(i[0].guard == "%p1");
  CHECK_FALSE(i[0].guard_negated);
  CHECK(i[1].guard == "%p2");
  CHECK(i[1].guard_negated);
  CHECK(i[2].guard.empty());
}

TEST_CASE("lines: plain, with a function's name, inlined") {
  const Parsed p = body(R"(
    .loc 1 12 5
    .loc 2 7 9, function_name $L__info_string0, inlined_at 1 14 3
    .loc 2 7 9, function_name $L__info_string0+32, inlined_at 1 15 3)");
  const auto& l = p.kernel().locations;
  REQUIRE(l.size() == 3);
  CHECK(l[0].line == 12);
  CHECK_FALSE(l[0].is_inlined);
  CHECK(l[1].is_inlined);
  CHECK(l[1].at_file == 1);
  CHECK(l[1].at_line == 14);
  CHECK(l[2].at_line == 15);
}

TEST_CASE("a call sequence is a scope with its own variables") {
  const Parsed p = body(R"(
    { // callseq 0, 0
      .reg .b32 temp_param_reg;
      .param .b64 param0;
      st.param.b64 [param0+0], %rd1;
      .param .b32 retval0;
      call.uni (retval0), vprintf, (param0, %rd2);
      ld.param.b32 %r1, [retval0+0];
    } // callseq 0)");
  std::vector<StatementKind> kinds;
  for (const Statement& s : p.kernel().body) kinds.push_back(s.kind);
  using K = StatementKind;
  CHECK(kinds == std::vector<K>{K::open_scope, K::registers, K::variable, K::instruction,
                                K::variable, K::instruction, K::instruction, K::close_scope});
  const Function& k = p.kernel();
  const auto call = k.operands_of(k.instructions[1]);
  REQUIRE(call.size() == 3);
  CHECK(call[0].kind == OperandKind::list);
  CHECK(call[1].name == "vprintf");
  CHECK(k.elements_of(call[2]).size() == 2);
}

TEST_CASE("tables of targets and prototypes") {
  const Parsed p = body(R"(
    $L_table: .branchtargets $L_a, $L_b, $L_a;
    prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]);
    prototype_1 : .callprototype () _ () .noreturn;
    $L_a: $L_b: ret;)");
  const Function& k = p.kernel();
  REQUIRE(k.targets.size() == 1);
  CHECK(k.targets[0].targets.size() == 3);
  REQUIRE(k.prototypes.size() == 2);
  CHECK(k.prototypes[0].results.size() == 1);
  CHECK(k.prototypes[0].parameters[1].bytes() == 16);
  CHECK(k.prototypes[1].parameters.empty());
  CHECK(k.labels.size() == 2);
}

TEST_CASE("registers: a range, a list of names") {
  const Parsed p = body(".reg .b32 %r<33>; .reg .pred p, q;");
  const auto& r = p.kernel().registers;
  REQUIRE(r.size() == 3);
  CHECK(r[0].count == 33);
  CHECK(r[1].name == "p");
  CHECK(r[2].type == Type::pred);
  CHECK(r[2].count == 0);
}

TEST_CASE("debug sections, files, pragmas and aliases do not disturb") {
  const Parsed p(R"(
    .file 1 "/a/b \"c\".cu"
    .file 2 "/a/d.h", 1700000000, 42
    .section .debug_str { $L__s0: .b8 1, 2 $L__s1: .b32 .debug_abbrev { .b8 3 } }
    .func f() { ret; }
    .alias g, f;
    .entry k() { .pragma "nounroll"; .section .debug_loc { .b64 $L0 } ret; })");
  REQUIRE(p.module.files.size() == 2);
  CHECK(p.module.files[1].number == 2);
  REQUIRE(p.module.aliases.size() == 1);
  CHECK(p.module.aliases[0].target == "f");
  CHECK(p.kernel().instructions.size() == 1);
}

TEST_CASE("scopes inside scopes") {
  const std::string open(500, '{'), close(500, '}');
  const Parsed p = body(open + "ret;" + close);
  CHECK(p.kernel().body.size() == 1001);
}
