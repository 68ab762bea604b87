// Atomics whose operands are wider than what a handler computes on.
#include "kernel.h"

using namespace exec_tests;
using sim::exec::Status;

TEST_CASE("16 bytes are exchanged, or only if they are what is compared with") {
  const Ran r = run(kernel(R"(
      .reg .b128 %q<4>;
      mov.b64 %d3, 0x0000000200000001;
      mov.b64 %d4, 0x0000000400000003;
      mov.b128 %q1, {%d3, %d4};
      mov.b128 %q2, {%d4, %d3};
      atom.global.cas.b128 %q3, [%d1], %q1, %q2;
      atom.global.cas.b128 %q3, [%d1], %q1, %q1;
      st.global.b128 [%d1+16], %q3;
      atom.global.exch.b128 %q3, [%d1], %q1;
      ret;)"),
                    {1, 2, 3, 4, 0, 0, 0, 0}, 1, 1);
  CHECK(r.status == Status::completed);
  CHECK(r.out == std::vector<std::uint32_t>{1, 2, 3, 4, 3, 4, 1, 2});
}
