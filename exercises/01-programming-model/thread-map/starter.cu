// thread-map: every thread writes down where it stands.
#include "thread-map.h"

#include "lab/lab.h"

// [kernel]
// threadIdx.x counts within the block, and a warp is 32 threads of one block that follow each
// other.
__global__ void map_kernel(ThreadMap map) {
  // Your code here.
}
// [kernel]

// [launch]
void map_threads(int blocks, int threads, ThreadMap map) {
  LAB_TODO("write map_kernel, launch it here, then remove this line");
}
// [launch]
