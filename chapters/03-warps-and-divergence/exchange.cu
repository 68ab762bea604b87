// What the lanes of a warp can tell each other without any memory: shuffles, votes, matches, sums.
#include <cstdio>

// [exchange]
__global__ void exchange() {
  const unsigned all = 0xffffffff;
  const int lane = threadIdx.x;
  const int value = lane * lane;

  const int from_lane_5 = __shfl_sync(all, value, 5);
  const int neighbour = __shfl_xor_sync(all, value, 1);
  const unsigned even = __ballot_sync(all, value % 2 == 0);
  const bool some = __any_sync(all, value == 100), every = __all_sync(all, value < 900);
  const unsigned peers = __match_any_sync(all, value % 4);
  const int sum = __reduce_add_sync(all, value);

  if (lane == 3) {
    printf("lane 3 has %d; lane 5 has %d, and lane 2 has %d\n", value, from_lane_5, neighbour);
    printf("even in the lanes of %08x: %d of them\n", even, __popc(even));
    printf("some lane has 100: %d; every lane is below 900: %d\n", some, every);
    printf("the same remainder by 4 as lane 3: %08x\n", peers);
    printf("the sum of all: %d\n", sum);
  }
}
// [exchange]

int main() {
  exchange<<<1, 32>>>();
  cudaDeviceSynchronize();
}
