// Text that was damaged: an error that shows a place, or a sound module; never a crash or a hang.
#include <random>

#include "module.h"

using namespace ir_tests;

namespace {

const std::string sound = R"(
.file 1 "main.cu"
.global .align 8 .u64 table[2] = {f, generic(counter)+4};
.global .align 4 .b32 counter[4] = {1, 2};
.extern .shared .align 16 .b8 dynamic[];
.func (.param .b32 out) f(.param .b32 a) {
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [a]; add.s32 %r2, %r1, 1; st.param.b32 [out], %r2; ret;
}
.entry k(.param .u64 k_param_0, .param .u32 k_param_1) .maxntid 256 {
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>;
  .local .align 4 .b8 l[64]; .shared .align 4 .b8 s[128];
  .loc 1 4 1
  ld.param.u64 %rd1, [k_param_0]; ld.param.u32 %r1, [k_param_1];
  mov.u32 %r2, %tid.x; setp.ge.s32 %p1|%p2, %r2, %r1;
  @%p1 bra $L_end;
  .loc 1 5 1, function_name $L_info, inlined_at 1 4 1
  ld.global.v4.f32 {%f1, %f2, _, %f3}, [%rd1+-16];
  fma.rn.f32 %f1, %f2, %f3, 0f3F800000; st.shared.f32 [s+8], %f1; st.local.u32 [l], %r2;
  $L_loop: atom.global.cas.b32 %r3, [counter], 0, 1; setp.ne.u32 %p3, %r3, 0;
  @%p3 bra $L_loop;
  $L_table: .branchtargets $L_a, $L_b;
  brx.idx %r3, $L_table;
  $L_a: { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r3; call.uni (r0), f, (p0);
    ld.param.b32 %r4, [r0]; }
  $L_b: { proto: .callprototype (.param .b32 _) _ (.param .b32 _); .param .b32 p0, r0;
    ld.global.u64 %rd2, [table]; call (r0), %rd2, (p0), proto; }
  bar.sync 0; shfl.sync.down.b32 %r5|%p1, %r4, 16, 31, -1; mov.b64 %rd3, {%r4, %r5};
  $L_end: ret;
}
)";

// Loads the text; counts it when it is sound.
int check(const std::string& text) {
  const Loaded m = try_load(text);
  if (!m.error.empty()) {
    CHECK(m.error.starts_with("PTX line "));
    CHECK(m.error.back() == '^');
    return 0;
  }
  for (const sim::ir::Function& f : m.module->functions) sim::ir::dump(*m.module, f);
  return 1;
}

}  // namespace

TEST_CASE("cut off at every place") {
  REQUIRE(check(sound) == 1);
  int still_sound = 0;
  for (std::size_t length = 0; length < sound.size(); ++length)
    still_sound += check(sound.substr(0, length));
  CHECK(still_sound < 40);
}

TEST_CASE("letters, words and lines changed at random") {
  std::mt19937 random(20);  // any seed: the same texts in each run
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::string_view pieces[] = {
      "{", "}",    "(",     ")",     "[",       "]",        ";",  ",",
      "|", "_",    "-1",    "%r1",   "%p1",     "%rd1",     "@",  ":",
      "!", "ret;", ".b32",  ".pred", "$L_loop", "$L_loop:", "<9", "0f",
      "k", "s",    "4e+99", "proto", "table",   "dynamic",  "f"};
  int still_sound = 0;
  constexpr int rounds = 2000;
  for (int round = 0; round < rounds; ++round) {
    std::string text = sound;
    for (std::size_t changes = 1 + pick(4); changes != 0; --changes) {
      const std::size_t at = pick(text.size());
      switch (pick(4)) {
        case 0: text[at] = static_cast<char>(pick(256)); break;
        case 1: text.insert(at, pieces[pick(std::size(pieces))]); break;
        case 2: text.erase(at, 1 + pick(12)); break;
        case 3: text.insert(at, text.substr(pick(text.size()), pick(40))); break;
      }
    }
    still_sound += check(text);
  }
  CHECK(still_sound > 0);  // else the changes are too rough to get past the parser
  CHECK(still_sound < rounds / 2);
}
