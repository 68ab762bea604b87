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
constexpr std::string_view plain_arithmetic =
    "Write the arithmetic in C++: GPUs have no such instruction any more, and make it of ordinary "
    "ones.";
constexpr std::string_view describe =
    "The host knows how an object was made (cudaGetTextureObjectTextureDesc and the like): hand it "
    "to the kernel.";
constexpr std::string_view not_loaded =
    "No GPU runs it either: CUDA cannot load a kernel that asks for it. Hand the number over.";
constexpr std::string_view name_lanes =
    "Since Volta, an exchange inside a warp names its lanes: use __shfl_sync, __ballot_sync, …";
constexpr std::string_view two_by_two = "Do it in two instructions, of two operands each.";
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
    {"mma.sp", "mma.sp.sync in the types and shapes of sm_80 is simulated; so is mma.sync."},
    {"setmaxnreg", "__launch_bounds__ and -maxrregcount limit registers for a whole kernel."},
    {"barrier.cluster", no_clusters},
    {"mapa", no_clusters},
    {"getctarank", no_clusters},
    {"clusterlaunchcontrol", no_clusters},
    {"txq.array_size", not_loaded},
    {"txq.num_mipmap_levels", not_loaded},
    {"txq.num_samples", not_loaded},
    {"suq.array_size", not_loaded},
    {"the special register %cluster", no_clusters},
    {"the special register %nclusterid", no_clusters},
    {"tex.base", "Sample without .base: it means the first level of a mipmap."},
    {"tex with an offset", "Sample at the shifted coordinates, or compare what was sampled."},
    {"tld4", "Read the four texels one by one."},
    {"txq", describe},
    {"suq", describe},
    {"istypep", "Use texture and surface objects: CUDA 12 has no references any more."},
    {"sured.p", "Convert the value, and reduce with sured.b."},
    {"vadd", plain_arithmetic},
    {"vsub", plain_arithmetic},
    {"vabsdiff", plain_arithmetic},
    {"vmin", plain_arithmetic},
    {"vmax", plain_arithmetic},
    {"vset", plain_arithmetic},
    {"vshl", plain_arithmetic},
    {"vshr", plain_arithmetic},
    {"shfl", name_lanes},
    {"vote", name_lanes},
    {"redux", "Reduce floats with __shfl_xor_sync in five steps."},
    {"min", two_by_two},
    {"max", two_by_two},
};

}  // namespace

std::string_view instead_of(std::string_view mnemonic) {
  for (const Advice& a : table)
    if (mnemonic.starts_with(a.prefix)) return a.text;
  return {};
}

}  // namespace sim::exec
