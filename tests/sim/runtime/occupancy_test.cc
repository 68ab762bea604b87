// Occupancy against cuda_occupancy.h, NVIDIA's own calculator, on every device of the table.
#include "sim/runtime/occupancy.h"

#include <string>

#include <cuda_occupancy.h>
#include <doctest/doctest.h>

using namespace sim::runtime;

namespace {

cudaOccDeviceProp properties(const Device& d) {
  cudaOccDeviceProp p;
  p.computeMajor = d.major;
  p.computeMinor = d.minor;
  p.maxThreadsPerBlock = threads_per_block;
  p.maxThreadsPerMultiprocessor = static_cast<int>(d.threads_per_sm);
  p.regsPerBlock = registers_per_sm;
  p.regsPerMultiprocessor = registers_per_sm;
  p.warpSize = 32;
  p.sharedMemPerBlock = shared_per_block;
  p.sharedMemPerMultiprocessor = d.shared_per_sm;
  p.numSms = static_cast<int>(d.sms);
  p.sharedMemPerBlockOptin = d.shared_per_block_optin;
  p.reservedSharedMemPerBlock = d.reserved_shared_per_block;
  return p;
}

int theirs(const Device& d, const BlockNeeds& needs) {
  const cudaOccDeviceProp p = properties(d);
  cudaOccFuncAttributes f;
  f.maxThreadsPerBlock = threads_per_block;
  f.numRegs = static_cast<int>(needs.registers_per_thread);
  f.sharedSizeBytes = 0;
  f.partitionedGCConfig = PARTITIONED_GC_OFF;
  f.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  f.maxDynamicSharedSizeBytes = d.shared_per_block_optin;
  f.numBlockBarriers = 1;
  cudaOccDeviceState state;
  state.cacheConfig = CACHE_PREFER_NONE;
  state.carveoutConfig = needs.carveout;
  cudaOccResult result{};
  REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &p, &f, &state,
                                                  static_cast<int>(needs.threads),
                                                  needs.shared_bytes) == CUDA_OCC_SUCCESS);
  return result.activeBlocksPerMultiprocessor;
}

}  // namespace

TEST_CASE("as NVIDIA's calculator has it") {
  for (const Device& d : devices()) {
    CAPTURE(std::string(d.key));
    for (const std::uint64_t threads :
         {1, 31, 32, 33, 64, 96, 100, 128, 160, 256, 384, 512, 768, 1000, 1024})
      for (const std::uint32_t registers :
           {16, 24, 25, 32, 33, 40, 48, 63, 64, 72, 80, 96, 128, 168, 255})
        for (const std::uint32_t shared :
             {0, 1, 1000, 4096, 8191, 16384, 33000, 49152, 65536, 100000, 163840})
          for (const int carveout : {-1, 0, 25, 50, 100}) {
            const BlockNeeds needs{threads, registers, shared, carveout};
            // The calculator takes the opt-in limit for what is asked; more than it fits nowhere.
            if (shared > d.shared_per_block_optin) continue;
            CAPTURE(threads);
            CAPTURE(registers);
            CAPTURE(shared);
            CAPTURE(carveout);
            REQUIRE(static_cast<int>(occupancy(d, needs).blocks) == theirs(d, needs));
          }
  }
}

TEST_CASE("what limits it is told") {
  const Device& a100 = *find_device("a100");
  using Limit = Occupancy::Limit;
  CHECK(occupancy(a100, {32, 16, 0}).limit == Limit::blocks);
  CHECK(occupancy(a100, {1024, 16, 0}).limit == Limit::warps);
  CHECK(occupancy(a100, {256, 128, 0}).limit == Limit::registers);
  CHECK(occupancy(a100, {256, 32, 40000}).limit == Limit::shared_memory);
  CHECK(occupancy(a100, {256, 32, 0}).fraction == 1);
  CHECK(occupancy(a100, {96, 32, 0}).fraction ==
        doctest::Approx(63.0 / 64));                  // 21 blocks of 3 warps
  CHECK(occupancy(a100, {48, 32, 0}).fraction == 1);  // idle lanes do not show in it
}

TEST_CASE("too much of anything fits nowhere") {
  const Device& a100 = *find_device("a100");
  CHECK(occupancy(a100, {1025, 16, 0}).blocks == 0);
  CHECK(occupancy(a100, {0, 16, 0}).blocks == 0);
  CHECK(occupancy(a100, {1024, 65, 0}).blocks == 0);
  CHECK(occupancy(a100, {1024, 64, 0}).blocks == 1);
  CHECK(occupancy(a100, {32, 256, 0}).blocks == 0);
  CHECK(occupancy(a100, {32, 32, 163 * 1024}).blocks == 1);
  CHECK(occupancy(a100, {32, 32, 163 * 1024 + 1}).blocks == 0);
}

TEST_CASE("devices are found by their keys") {
  for (const Device& d : devices()) CHECK(find_device(d.key) == &d);
  CHECK(find_device("voodoo") == nullptr);
}
