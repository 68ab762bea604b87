// Programs of several devices; the argument says which (test_devices.py).
#include <cstdio>
#include <string>

#include <cuda_runtime.h>

__device__ int variable = 1;
__global__ void store(int* p) { p[threadIdx.x] = 1; }
__global__ void tell(int* out) { *out = variable; }
__global__ void print() { printf("from a kernel\n"); }

namespace {

int* allocated_on(int device) {
  int* p = nullptr;
  cudaSetDevice(device);
  cudaMalloc(&p, 1024);
  return p;
}

void one_after_the_other() {
  for (const int d : {0, 1}) {
    int* p = allocated_on(d);
    store<<<1, 32>>>(p);
    cudaFree(p);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "list") {
    int n = 0;
    cudaGetDeviceCount(&n);
    for (int d = 0; d < n; ++d) {
      cudaDeviceProp p{};
      cudaGetDeviceProperties(&p, d);
      int reaches = 0;
      cudaDeviceCanAccessPeer(&reaches, d, 0);
      std::printf("%s, %d.%d, reaches device 0: %d\n", p.name, p.major, p.minor, reaches);
    }
  } else if (what == "one-after-the-other") {
    one_after_the_other();
  } else if (what == "not-a-peer") {
    int* p = allocated_on(1);
    cudaSetDevice(0);
    store<<<1, 32>>>(p);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  } else if (what == "leak") {
    cudaFree(allocated_on(0));
    allocated_on(1);
  } else if (what == "peer-copies") {  // right; of pinned memory; then with the devices exchanged
    int *a = allocated_on(0), *b = allocated_on(1), *pinned = nullptr;
    cudaMallocHost(&pinned, 1024);
    cudaMemset(b, 0, 1024);
    cudaMemcpyPeer(a, 0, b, 1, 1024);
    cudaMemcpyPeer(pinned, 0, b, 1, 1024);
    cudaMemcpyPeer(a, 1, b, 0, 1024);
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(pinned);
  } else if (what == "leaks") {
    int n = 0;
    cudaGetDeviceCount(&n);
    for (int d = 0; d < n; ++d) allocated_on(d);
  } else if (what == "default-stream-of-another") {
    int* p = allocated_on(0);
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    cudaMemsetAsync(p, 0, 1024, stream);
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    store<<<1, 32>>>(p);
    for (const int d : {0, 1}) {
      cudaSetDevice(d);
      cudaDeviceSynchronize();
    }
    cudaFree(p);
  } else if (what == "prints-on-another") {
    cudaSetDevice(1);
    print<<<1, 1>>>();
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    std::printf("device 0 is done\n");
    std::fflush(stdout);
    cudaSetDevice(1);
    cudaDeviceSynchronize();
  } else {
    return 2;
  }
}
