// What racecheck takes for a race, and what it says; each kernel is one small pattern.
#include "sim/check/racecheck.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "sim/check/race_shadow.h"
#include "support/ptx_kernel.h"

using sim::check::Finding;
using sim::check::Kind;
using sim::test::Outcome;
using sim::test::PtxKernel;

namespace {

// %r1: the thread, %r2: the block, %d1: out, %d2: &out[thread], %r3: &s[thread]. Lines count
// from 1.
std::string kernel(const std::vector<std::string>& lines) {
  std::string text = R"(.visible .entry k(.param .u64 out) {
    .reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %d<16>; .reg .b16 %h<8>;
    .shared .align 16 .b8 s[4096];
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.s64 %d2, %d1, %d2;
    mov.u32 %r30, s;
    mad.lo.u32 %r3, %r1, 4, %r30;
)";
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += ".loc 1 " + std::to_string(i + 1) + " 0\n" + lines[i] + "\n";
  return text + "ret;\n}\n.file 1 \"/home/ada/race.cu\"\n";
}

std::vector<Finding> races(const std::vector<std::string>& lines, std::uint32_t blocks,
                           std::uint32_t threads, std::uint64_t schedule = 0, bool cleared = true) {
  PtxKernel k(kernel(lines));
  REQUIRE(k.problem == "");
  k.schedule = schedule;
  const auto* out =
      k.memory.allocate(16384, sim::memory::Kind::device, {}, sim::test::host_line(9));
  std::memset(out->data, 0, 16384);
  if (cleared) out->written->mark(0, 16384);
  return k.run({blocks}, {threads}, out->begin).races;
}

const std::string write_own = "st.shared.u32 [%r3], %r1;";
const std::string read_next =
    "xor.b32 %r4, %r1, 1; mad.lo.u32 %r4, %r4, 4, %r30; ld.shared.u32 %r5, [%r4];";
const std::string read_other_warp =
    "xor.b32 %r4, %r1, 32; mad.lo.u32 %r4, %r4, 4, %r30; ld.shared.u32 %r5, [%r4];";

}  // namespace

TEST_CASE("two warps without a barrier, word for word") {
  const auto found = races({write_own, read_other_warp}, 1, 64);
  REQUIRE(found.size() == 1);
  const Finding& f = found[0];
  CHECK(f.kind == Kind::shared_race);
  CHECK(f.message ==
        "Thread 0 of block 0 writes shared `s` (element 0) at race.cu:1, and thread 32 reads it at "
        "race.cu:2, with nothing that says which comes first.");
  CHECK(f.advice.find("__syncthreads()") != std::string::npos);
  CHECK(f.where.line == 1);
  REQUIRE(f.sides.size() == 2);
  CHECK(f.sides[0].what == "write of 4 bytes");
  CHECK(f.sides[1].what == "read of 4 bytes");
  CHECK(f.sides[1].where.line == 2);
  CHECK(f.sides[1].thread.x == 32);
  CHECK(f.occurrences == 64);
}

TEST_CASE("barriers order warps; only __syncwarp and its like order lanes") {
  CHECK(races({write_own, "bar.sync 0;", read_other_warp}, 1, 64).empty());
  CHECK(races({write_own, read_next}, 1, 32).size() == 1);
  CHECK(races({write_own, "bar.warp.sync -1;", read_next}, 1, 32).empty());
  CHECK(races({write_own, "vote.sync.ballot.b32 %r9, 1, -1;", read_next}, 1, 32).empty());
  CHECK(races({write_own, "bar.warp.sync -1;", read_other_warp}, 1, 64).size() == 1);
}

TEST_CASE("what races inside a warp and between warps needs the barrier of the block") {
  const auto inside = races({write_own, read_next}, 1, 64);
  REQUIRE(inside.size() == 1);
  CHECK(inside[0].advice.find("Put a __syncwarp()") != std::string::npos);

  // Thread 0 reads its neighbour's element, thread 31 that of the next warp.
  const std::string read_right = "add.u32 %r4, %r3, 4; ld.shared.u32 %r5, [%r4];";
  const auto both = races({write_own, read_right}, 1, 64);
  REQUIRE(both.size() == 1);
  CHECK(both[0].advice.find("put a __syncthreads()") != std::string::npos);
}

TEST_CASE("a named barrier orders those that it counts") {
  // Warps 0 and 1 meet; warp 2 does not.
  const std::string meet = "setp.lt.u32 %p1, %r1, 64; @%p1 bar.sync 3, 64;";
  CHECK(races({write_own, meet, read_other_warp}, 1, 64).empty());
  const std::string read_two_away =
      "xor.b32 %r4, %r1, 64; mad.lo.u32 %r4, %r4, 4, %r30; ld.shared.u32 %r5, [%r4];";
  CHECK(races({write_own, meet, read_two_away}, 1, 128).size() == 1);
}

TEST_CASE("an early reader is not hidden by a later one") {
  // Thread 0 and thread 40 read s[0]; thread 0, or thread 40, then writes it.
  const std::string read =
      "setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 40; or.pred %p1, %p1, %p2;"
      "@%p1 ld.shared.u32 %r5, [s];";
  for (const char* writer : {"0", "40"}) {
    const std::string write =
        std::string("setp.eq.u32 %p3, %r1, ") + writer + "; @%p3 st.shared.u32 [s], %r1;";
    CAPTURE(writer);
    CHECK(races({"@%p7 st.shared.u32 [s], 0;", read, write}, 1, 64).size() == 1);
  }
}

TEST_CASE("neighbouring bytes are places of their own") {
  const std::string own_byte = "add.u32 %r4, %r30, %r1; cvt.u16.u32 %h1, %r1;";
  CHECK(races({own_byte, "st.shared.u8 [%r4], %h1;", "ld.shared.u8 %h2, [%r4];"}, 1, 64).empty());
  const std::string next_byte = "xor.b32 %r5, %r1, 32; add.u32 %r5, %r30, %r5;";
  CHECK(races({own_byte, "st.shared.u8 [%r4], %h1;", next_byte, "ld.shared.u8 %h2, [%r5];"}, 1, 64)
            .size() == 1);
}

TEST_CASE("the same value may be stored by many, different ones may not") {
  CHECK(races({"mov.u32 %r4, 7;", "st.global.u32 [%d1], %r4;"}, 3, 64).empty());
  const auto found = races({"", "st.global.u32 [%d1], %r1;"}, 1, 32);
  REQUIRE(found.size() == 1);
  CHECK(
      found[0].message ==
      "Thread 0 of block 0 and thread 1 write different values to the 16,384-byte array allocated "
      "at main.cu:9 (element 0) in one instruction at race.cu:2.");
}

TEST_CASE("x += y by many asks for an atomic, a step in place for a second array") {
  const auto sum = races(
      {"ld.global.u32 %r5, [%d1];", "add.u32 %r5, %r5, 1;", "st.global.u32 [%d1], %r5;"}, 2, 64);
  REQUIRE(!sum.empty());
  CHECK(sum[0].advice.find("atomicAdd") != std::string::npos);
  const auto step =
      races({"ld.global.u32 %r5, [%d2+4];", "add.u32 %r5, %r5, %r2;", "st.global.u32 [%d2], %r5;"},
            2, 32);
  REQUIRE(!step.empty());
  CHECK(step[0].advice.find("a second array") != std::string::npos);
}

TEST_CASE("of many lines that race on one array the first are told") {
  const auto found = races({write_own, read_other_warp, read_other_warp, read_other_warp,
                            read_other_warp, read_other_warp},
                           1, 64);
  REQUIRE(found.size() == 3);
  CHECK(found[2].sides[1].where.line == 4);
  CHECK(found[2].message.find("2 more races") != std::string::npos);
}

TEST_CASE("a plain store to what an atomic takes gives back a lock, or sets a starting value") {
  const auto advice = [](const std::string& atomic) {
    const auto found = races({atomic, "st.global.u32 [%d1], 0;"}, 2, 1);
    REQUIRE(!found.empty());  // the two stores race, too
    return found[0].advice;
  };
  CHECK(advice("atom.global.cas.b32 %r5, [%d1], 0, 1;").starts_with("A lock is given back"));
  CHECK(advice("atom.global.exch.b32 %r5, [%d1], 1;").starts_with("A lock is given back"));
  CHECK(advice("atom.global.add.u32 %r5, [%d1], 1;").ends_with("in a kernel before this one."));
}

TEST_CASE("only a statement that reads and writes needs a variable") {
  const auto advice = [](const std::vector<std::string>& lines) {
    const auto found = races(lines, 1, 64);
    REQUIRE(found.size() == 1);
    return found[0].advice;
  };
  const char* const variable = "Read into a variable, put a __syncthreads()";
  CHECK(advice({read_other_warp + write_own}).find(variable) != std::string::npos);
  CHECK(advice({read_other_warp, write_own}).find(variable) == std::string::npos);
  CHECK(advice({"and.b32 %r9, %r1, 31; setp.eq.u32 %p1, %r9, 0; @%p1 st.shared.u32 [%r30], %r1;"})
            .find(variable) == std::string::npos);
}

TEST_CASE("of each array the first races are told") {
  // Four lines of races on each of two arrays.
  std::string text = R"(.visible .entry k(.param .u64 a, .param .u64 b) {
    .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [a];
    ld.param.u64 %d2, [b];
    mov.u32 %r1, %tid.x;
)";
  for (int line = 1; line <= 8; ++line)
    text += ".loc 1 " + std::to_string(line) + " 0\nst.global.u32 [%d" +
            std::to_string(1 + line % 2) + "+" + std::to_string(4 * line) + "], %r1;\n";
  PtxKernel k(text + "ret;\n}\n.file 1 \"/home/ada/race.cu\"\n");
  REQUIRE(k.problem == "");
  const auto* a = k.memory.allocate(64, sim::memory::Kind::device);
  const auto* b = k.memory.allocate(64, sim::memory::Kind::device);
  CHECK(k.run({1}, {64}, a->begin, b->begin).races.size() == 6);
}

TEST_CASE("a race steers threads when a branch depends on what was read") {
  const auto steers = [](const std::string& then) {
    PtxKernel k(kernel({write_own, read_other_warp, then, "end:"}));
    REQUIRE(k.problem == "");
    const auto* out = k.memory.allocate(16384, sim::memory::Kind::device);
    const Outcome o = k.run({1}, {64}, out->begin);
    CHECK(o.races.size() == 1);
    return o.steered;
  };
  CHECK(steers("setp.eq.u32 %p1, %r5, 0; @%p1 bra end;"));
  CHECK(steers("add.u32 %r6, %r5, 1; setp.eq.u32 %p1, %r6, 0; @%p1 ret;"));
  CHECK_FALSE(steers("setp.eq.u32 %p1, %r1, 0; @%p1 bra end;"));
  CHECK_FALSE(steers("setp.eq.u32 %p1, %r5, 0; @%p1 st.global.u32 [%d2], 1;"));
  CHECK_FALSE(steers("st.global.u32 [%d2], %r5;"));
}

TEST_CASE("atomics do not race with each other, but with plain accesses") {
  const std::string add = "red.global.add.u32 [%d1], 1;";
  CHECK(races({add}, 3, 64).empty());
  CHECK(races({add, "ld.global.u32 %r5, [%d1];"}, 1, 64).size() == 1);
  CHECK(races({add, "ld.volatile.global.u32 %r5, [%d1];"}, 3, 64).empty());
  CHECK(races({"red.cta.global.add.u32 [%d1], 1;"}, 1, 64).empty());
  CHECK(races({"red.cta.global.add.u32 [%d1], 1;"}, 2, 64).size() == 1);
}

TEST_CASE("the first read of a compare-and-swap loop is a guess, whatever it is copied through") {
  const std::string read = "ld.global.f32 %r5, [%d1]; mov.b32 %r6, %r5;";
  const std::string swap =
      "again: add.u32 %r7, %r6, 1; add.s64 %d3, %d1, 0; atom.global.cas.b32 %r8, [%d3], %r6, %r7; "
      "setp.ne.u32 %p1, %r8, %r6; mov.u32 %r6, %r8; @%p1 bra again;";
  CHECK(races({read, swap}, 3, 64).empty());
  CHECK(races({"ld.global.u32 %r9, [%d1]; mov.u32 %r6, 0;", swap}, 3, 64).size() == 1);
  CHECK(races({read, swap, "st.global.u32 [%d1], %r1;"}, 1, 64).size() >= 1);
}

namespace {

// Block 0 writes out[9] and raises out[0]; the other block waits for it and reads.
std::vector<std::string> message(const std::string& before_flag, const std::string& flag) {
  return {"setp.ne.u32 %p1, %r2, 0; @%p1 bra wait; setp.ne.u32 %p2, %r1, 0; @%p2 bra end;",
          "st.global.u32 [%d1+36], 5;",
          before_flag,
          flag,
          "bra end; wait:",
          "ld.volatile.global.u32 %r5, [%d1]; setp.eq.u32 %p3, %r5, 0; @%p3 bra wait;",
          "ld.global.u32 %r6, [%d1+36];",
          "end:"};
}

}  // namespace

TEST_CASE("who guesses what a flag holds has not heard what it says") {
  auto lines = message("membar.gl;", "st.volatile.global.u32 [%d1], 1;");
  lines[5] = "ld.global.u32 %r5, [%d1]; setp.eq.u32 %p3, %r5, 0; @%p3 bra wait;";
  lines.insert(lines.begin() + 7, "atom.global.cas.b32 %r9, [%d1+64], %r5, %r5;");
  const auto found = races(lines, 2, 32);
  REQUIRE(found.size() == 1);
  CHECK(found[0].sides[1].where.line == 7);
}

TEST_CASE("a message needs a fence of sufficient scope") {
  const std::string raise = "st.volatile.global.u32 [%d1], 1;";
  CHECK(races(message("membar.gl;", raise), 2, 32).empty());
  CHECK(races(message("fence.acq_rel.gpu;", raise), 2, 32).empty());
  CHECK(races(message("", "st.release.gpu.global.u32 [%d1], 1;"), 2, 32).empty());
  CHECK(races(message("membar.gl;", "red.global.add.u32 [%d1], 1;"), 2, 32).empty());
  CHECK(races(message("", raise), 2, 32).size() == 1);
  CHECK(races(message("membar.cta;", raise), 2, 32).size() == 1);
  CHECK(races(message("", "st.release.cta.global.u32 [%d1], 1;"), 2, 32).size() >= 1);
}

TEST_CASE("a flag must have a value before anybody waits for it") {
  const auto found =
      races(message("membar.gl;", "st.volatile.global.u32 [%d1], 1;"), 2, 32, 0, false);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::uninitialised_read);
  CHECK(found[0].block->x == 1);
  CHECK(found[0].message.find("it is chance that thread 0 of block 0 came first") !=
        std::string::npos);
}

TEST_CASE(
    "what is read once, added to, or set by the reader's own block is no flag that is unset") {
  const std::string raise = "st.volatile.global.u32 [%d1], 1;";
  const auto unset = [](const std::vector<std::string>& lines, std::uint32_t blocks) {
    const auto found = races(lines, blocks, 64, 0, false);
    return std::ranges::count(found, Kind::uninitialised_read, &Finding::kind);
  };
  auto waiting = message("membar.gl;", raise);
  CHECK(unset(waiting, 2) == 1);
  auto once = waiting;
  once[5] = "ld.volatile.global.u32 %r5, [%d1]; setp.eq.u32 %p3, %r5, 0; @%p3 bra end;";
  CHECK(unset(once, 2) == 0);
  CHECK(unset(message("membar.gl;", "red.global.add.u32 [%d1], 1;"), 2) == 0);
  waiting[0] = "setp.ge.u32 %p1, %r1, 32; @%p1 bra wait; setp.ne.u32 %p2, %r1, 0; @%p2 bra end;";
  CHECK(unset(waiting, 1) == 0);
}

// ---- Reads through a cache that does not see the launch's writes ----

namespace {

const std::string store_own = "st.global.u32 [%d2], %r1;";
// The element of thread `distance` bits away, loaded as what nobody changes.
std::string read_only_load(int distance) {
  return "xor.b32 %r4, %r1, " + std::to_string(distance) +
         "; mul.wide.u32 %d3, %r4, 4; add.s64 %d3, %d1, %d3; ld.global.nc.u32 %r5, [%d3];";
}

}  // namespace

TEST_CASE("what the launch has written is not read through the read-only cache") {
  const auto found = races({store_own, "bar.sync 0;", read_only_load(33)}, 1, 64);
  REQUIRE(found.size() == 1);
  const Finding& f = found[0];
  CHECK(f.kind == Kind::stale_read);
  CHECK(f.severity == sim::check::Severity::error);
  CHECK(f.message ==
        "Thread 33 of block 0 reads the 16,384-byte array allocated at main.cu:9 (element 0) "
        "through the read-only cache, after thread 0 wrote it at race.cu:1 in the same launch: it "
        "may get the old value.");
  CHECK(f.advice.find("__restrict__") != std::string::npos);
  CHECK(f.where.line == 3);
  CHECK(f.access == "read");
  REQUIRE(f.sides.size() == 2);
  CHECK(f.sides[0].what == "write of 4 bytes");
  CHECK(f.sides[0].where.line == 1);
  CHECK(f.sides[1].where.line == 3);
  CHECK(f.occurrences == 64);
}

TEST_CASE("a thread's own write is not seen either, nor an atomic one, nor one among others") {
  const auto own = races({store_own, read_only_load(0)}, 1, 32);
  REQUIRE(own.size() == 1);
  CHECK(own[0].kind == Kind::stale_read);
  CHECK(own[0].message.find("after it wrote it at race.cu:1") != std::string::npos);
  const auto added = races({"red.global.add.u32 [%d2], 1;", read_only_load(0)}, 1, 32);
  REQUIRE(added.size() == 1);
  CHECK(added[0].kind == Kind::stale_read);
  const auto one =
      races({"setp.eq.u32 %p1, %r1, 21; @%p1 st.global.u32 [%d2], 1;", read_only_load(0)}, 1, 32);
  REQUIRE(one.size() == 1);
  CHECK(one[0].thread->x == 21);
  CHECK(one[0].occurrences == 1);
}

TEST_CASE("a read-only load before the write, and a plain load behind it, are right") {
  CHECK(races({read_only_load(0), store_own}, 1, 64).empty());
  CHECK(races({read_only_load(33), "bar.sync 0;", store_own}, 1, 64).empty());
  CHECK(races({store_own,
               "bar.sync 0; xor.b32 %r4, %r1, 33; mul.wide.u32 %d3, %r4, 4;"
               "add.s64 %d3, %d1, %d3; ld.global.u32 %r5, [%d3];"},
              1, 64)
            .empty());
}

TEST_CASE("a read-only load that races is told as a race alone, though others of it are stale") {
  // Nothing orders the warps, and each lane also reads what it wrote itself.
  const auto found = races({store_own, read_only_load(32) + "ld.global.nc.u32 %r6, [%d2];"}, 1, 64);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::global_race);
  CHECK(found[0].advice.find("__restrict__") != std::string::npos);
}

TEST_CASE("a texture shows what was there before the launch") {
  PtxKernel k(kernel({store_own, "ld.global.u64 %d5, [%d1+8192];",
                      "tex.1d.v4.s32.s32 {%r5, %r6, %r7, %r8}, [%d5, {%r1}];"}));
  REQUIRE(k.problem == "");
  const auto* out =
      k.memory.allocate(16384, sim::memory::Kind::device, {}, sim::test::host_line(9));
  out->written->mark(0, 16384);
  sim::exec::Texture texture;
  sim::memory::Image& image = texture.levels.emplace_back();
  image.format = {sim::memory::TexelFormat::Kind::signed_integer, 1, 32};
  image.width = 64;
  image.begin = out->begin;
  image.data = out->data;
  image.serial = out->serial;
  texture.shape = sim::ptx::Geometry::d1;
  texture.buffer = true;
  const auto handle = k.textures.add(texture);
  std::memcpy(out->data + 8192, &handle, sizeof handle);
  const auto found = k.run({1}, {64}, out->begin).races;
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::stale_read);
  CHECK(found[0].where.line == 3);
  CHECK(found[0].message.find("through a texture, after it wrote it") != std::string::npos);
  CHECK(found[0].occurrences == 64);
}

TEST_CASE("findings do not depend on the schedule") {
  // Which threads stand for the others may; the kinds and the pairs of lines do not.
  using Line = std::tuple<Kind, int, int>;
  const auto lines_of = [](const std::vector<Finding>& found) {
    std::set<Line> all;
    for (const Finding& f : found)
      all.emplace(f.kind, f.sides[0].where.line, f.sides[1].where.line);
    return all;
  };
  const std::vector<std::vector<std::string>> kernels = {
      {write_own, read_other_warp, "bar.sync 0;", read_next, write_own},
      {"ld.global.u32 %r5, [%d2];", "st.global.u32 [%d2], %r2;"},
      message("", "st.volatile.global.u32 [%d1], 1;"),
      {store_own, "bar.sync 0;", read_only_load(33), read_only_load(32)},
  };
  for (const auto& lines : kernels) {
    const auto expected = lines_of(races(lines, 2, 64));
    CHECK_FALSE(expected.empty());
    for (std::uint64_t seed = 1; seed < 12; ++seed) {
      CAPTURE(seed);
      CHECK(lines_of(races(lines, 2, 64, seed)) == expected);
    }
  }
}

TEST_CASE("what is no longer referred to is dropped, and nothing else") {
  using namespace sim::check;
  GlobalShadow shadow;
  const auto touch = [](Time time, std::uint8_t lane) {
    Touch t;
    t.block = 3;
    t.time = time;
    t.site = 1;
    t.lane = lane;
    t.bytes = 15;
    t.write = true;
    return t;
  };
  Judgement keep;
  keep.keep = 0;
  shadow.remember(0x1000, keep, touch(5, 7));
  for (Time time = 10; time < 200000; ++time) {
    shadow.remember(0x2000, keep, touch(time, 1));
    shadow.tidy();
  }
  CHECK(shadow.word(0x1000)[0].time == 5);
  CHECK(shadow.word(0x1000)[0].lane == 7);
  CHECK(shadow.word(0x2000)[0].time == 199999);
}
