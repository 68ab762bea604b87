// A first launch, and the moment at which a kernel's printf appears: not when the kernel is
// launched, nor when it runs, but when the host next waits for the device.
#include <cstdio>

// [hello]
__global__ void hello() { printf("  hello from block %u, thread %u\n", blockIdx.x, threadIdx.x); }

int main() {
  std::printf("host: launching\n");
  hello<<<2, 3>>>();
  std::printf("host: the launch has returned\n");
  cudaDeviceSynchronize();
  std::printf("host: the device has finished\n");
}
// [hello]
