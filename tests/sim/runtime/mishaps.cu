// Programs that end badly, one for each first argument. test_programs.py looks at how.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

__global__ void nothing() {}
__global__ void store(int* to) { *to = 1; }
__global__ void print(int lines) {
  for (int i = 0; i < lines; ++i) printf("line %d\n", i);
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* what) { return argc > 1 && std::strcmp(argv[1], what) == 0; };
  int* d = nullptr;
  cudaMalloc(&d, 64);
  if (asked("read")) return d[3];
  if (asked("write")) d[3] = 1;
  if (asked("read-past-the-end")) return d[20];
  if (asked("puts")) return std::puts(reinterpret_cast<const char*>(d));
  if (asked("read-freed-pinned")) {
    int* p = nullptr;
    cudaMallocHost(&p, 1 << 20);
    cudaFreeHost(p);
    return p[3];
  }
  if (asked("crash")) {
    nothing<<<1, 2000>>>();
    std::raise(11);
  }
  if (asked("abort")) {
    nothing<<<1, 2000>>>();
    std::abort();
  }
  if (asked("exit-3")) {
    nothing<<<1, 2000>>>();
    std::exit(3);
  }
  if (asked("print-and-leave")) print<<<1, 1>>>(2);
  if (asked("print-and-wait")) {
    print<<<1, 1>>>(2);
    cudaDeviceSynchronize();
  }
  if (asked("print-too-much")) {
    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1000);
    print<<<1, 1>>>(10000);
    cudaDeviceSynchronize();
  }
  if (asked("missing")) {
    cudaIpcGetEventHandle(nullptr, nullptr);
    std::printf("%s\n", cudaGetErrorName(cudaIpcGetEventHandle(nullptr, nullptr)));
  }
  if (asked("device")) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    std::printf("%s\n", p.name);
  }
  if (asked("store-nowhere")) {
    store<<<1, 1>>>(nullptr);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  }
}
