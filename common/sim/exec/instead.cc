#include "sim/exec/instead.h"

namespace sim::exec {

namespace {

struct Advice {
  std::string_view prefix, text;
};
constexpr std::string_view multiply =
    "mma.sync, as wmma::mma_sync in <mma.h> emits it, multiplies matrices on every GPU since "
    "sm_80.";
constexpr std::string_view copy =
    "Compiled for compute_80, cuda::memcpy_async copies with cp.async, which is simulated.";
constexpr std::string_view no_clusters =
    "Thread block clusters need a GPU of their own; blocks without a cluster can exchange data "
    "through global memory.";
// The first that fits.
constexpr Advice table[] = {
    {"cp.async.bulk", copy},
    {"cp.reduce.async.bulk", copy},
    {"multimem", "Address each GPU's memory by itself."},
    {"tensormap", copy},
    {"st.async", "Store with st.shared, and arrive at the mbarrier afterwards."},
    {"red.async", "Use atom or red on shared memory, and arrive at the mbarrier afterwards."},
    {"st.bulk", "Fill the memory in a loop."},
    {"wgmma", multiply},
    {"tcgen05", multiply},
    {"mma.sp", "Multiply the whole matrix with mma.sync; its zeros cost time, not results."},
    {"setmaxnreg", "__launch_bounds__ and -maxrregcount limit registers for a whole kernel."},
    {"barrier.cluster", no_clusters},
    {"mapa", no_clusters},
    {"getctarank", no_clusters},
    {"clusterlaunchcontrol", no_clusters},
};

}  // namespace

std::string_view instead_of(std::string_view mnemonic) {
  for (const Advice& a : table)
    if (mnemonic.starts_with(a.prefix)) return a.text;
  return {};
}

}  // namespace sim::exec
