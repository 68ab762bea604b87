// What the program can ask about the device it runs on.
#include <cstdio>

int main() {
  // [properties]
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  std::printf("%s\n", device.name);
  std::printf("compute capability         %d.%d\n", device.major, device.minor);
  std::printf("multiprocessors (SMs)      %d\n", device.multiProcessorCount);
  std::printf("threads in a warp          %d\n", device.warpSize);
  std::printf("threads in a block         at most %d\n", device.maxThreadsPerBlock);
  std::printf("block's x, y, z            at most %d, %d, %d\n", device.maxThreadsDim[0],
              device.maxThreadsDim[1], device.maxThreadsDim[2]);
  std::printf("grid's x, y, z             at most %d, %d, %d\n", device.maxGridSize[0],
              device.maxGridSize[1], device.maxGridSize[2]);
  std::printf("threads on one SM          at most %d\n", device.maxThreadsPerMultiProcessor);
  // [properties]
}
