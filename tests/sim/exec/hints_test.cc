// Instructions that tell caches and compilers something, and change no result.
#include "kernel.h"
#include "sim/exec/instead.h"

using namespace exec_tests;
using sim::exec::Status;

TEST_CASE("hints are taken, and change nothing") {
  const Ran r = run(kernel(R"(
      createpolicy.fractional.L2::evict_first.b64 %d3, 1.0;
      createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %d3, [%d2], 64, 128;
      createpolicy.cvt.L2.b64 %d3, %d3;
      ld.global.L2::cache_hint.u32 %r2, [%d2], %d3;
      ld.global.u32 %r2, [%d2].unified;
      prefetch.global.L2 [%d2];
      griddepcontrol.wait;
      pmevent.mask 3;
      fence.proxy.async;
      fence.mbarrier_init.release.cluster;
      add.u32 %r2, %r2, 1;
      st.global.L2::cache_hint.u32 [%d2], %r2, %d3;
      griddepcontrol.launch_dependents;
      ret;)"),
                    {41, 41}, 1, 2);
  CHECK(r.status == Status::completed);
  CHECK(r.out == std::vector<std::uint32_t>{42, 42});
}

TEST_CASE("a refusal tells what works instead, where something does") {
  using sim::exec::instead_of;
  CHECK(instead_of("wgmma.fence.sync.aligned").find("mma.sync") != std::string_view::npos);
  CHECK(instead_of("the special register %cluster_ctarank").find("clusters") !=
        std::string_view::npos);
  CHECK(instead_of("vadd.max.u32.u32").find("C++") != std::string_view::npos);
  CHECK(instead_of("vote.all.pred").find("sync") != std::string_view::npos);
  CHECK(instead_of("the special register %pm0").empty());
}
