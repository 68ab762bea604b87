// Matrix instructions in kernels: fragments against memory, and who must take part. What they
// compute is pinned by ../golden.
#include <numeric>

#include "kernel.h"

using namespace exec_tests;
using sim::exec::Status;

namespace {

const std::string shared_tile = ".shared .align 128 .b8 tile[1024];\n";

// Each thread puts its number, as two halves' bits, into shared memory: row r of an 8 x 8 matrix
// holds 8 r … 8 r + 7.
const char* const fill = R"(
    shl.b32 %r2, %r1, 1;
    add.u32 %r3, %r2, 1;
    shl.b32 %r3, %r3, 16;
    or.b32 %r2, %r2, %r3;
    mov.u32 %r4, tile;
    shl.b32 %r5, %r1, 2;
    add.u32 %r5, %r5, %r4;
    st.shared.u32 [%r5], %r2;
    shl.b32 %r6, %r1, 4;
    and.b32 %r6, %r6, 112;
    add.u32 %r6, %r6, %r4;
    bar.sync 0;
)";

}  // namespace

TEST_CASE("ldmatrix gives each lane two neighbours of a row, or of a column") {
  const std::string rows = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [%r6];";
  const std::string columns = "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r7}, [%r6];";
  const std::string store = "st.global.u32 [%d2], %r7; ret;";
  const Ran a = run(shared_tile + kernel(fill + rows + store), std::vector<std::uint32_t>(32));
  const Ran b = run(shared_tile + kernel(fill + columns + store), std::vector<std::uint32_t>(32));
  for (std::uint32_t l = 0; l < 32; ++l) {
    CAPTURE(l);
    CHECK(a.out[l] == ((2 * l + 1) << 16 | 2 * l));
    const std::uint32_t row = l % 4 * 2, column = l / 4;
    CHECK(b.out[l] == ((8 * (row + 1) + column) << 16 | (8 * row + column)));
  }
}

TEST_CASE("a row beyond the block's shared memory is refused") {
  const Ran r = run(shared_tile + kernel(std::string(fill) + R"(
      add.u32 %r6, %r6, 1024;
      ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [%r6];
      st.global.u32 [%d2], %r7;
      ret;)"),
                    std::vector<std::uint32_t>(32));
  CHECK(r.status == Status::illegal_address);
}

TEST_CASE("lanes that parted meet at a matrix instruction") {
  const Ran r = run(kernel(R"(
      mov.u32 %r2, 0x3c003c00;
      mov.f32 %f1, 0f00000000;
      setp.lt.u32 %p1, %r1, 16;
      @%p1 bra low;
      mov.u32 %r2, 0x40004000;
    low:
      mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
          {%f2, %f3, %f4, %f5}, {%r2, %r2}, {%r2}, {%f1, %f1, %f1, %f1};
      cvt.rzi.u32.f32 %r3, %f2;
      st.global.u32 [%d2], %r3;
      ret;)"),
                    std::vector<std::uint32_t>(32));
  CHECK(r.status == Status::completed);
  CHECK(r.out[0] == 8);    // row 0 of ones, column 0 of ones
  CHECK(r.out[2] == 16);   // column 4 of twos
  CHECK(r.out[31] == 32);  // twos and twos
}

TEST_CASE("a matrix instruction in a branch that some lanes do not take waits for ever") {
  const Ran r = run(kernel(R"(
      mov.u32 %r2, 0;
      mov.f32 %f1, 0f00000000;
      setp.lt.u32 %p1, %r1, 16;
      @!%p1 bra other;
      mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
          {%f2, %f3, %f4, %f5}, {%r2, %r2}, {%r2}, {%f1, %f1, %f1, %f1};
    other:
      bar.sync 0;
      ret;)"),
                    std::vector<std::uint32_t>(32));
  CHECK(r.status == Status::stopped);
}
