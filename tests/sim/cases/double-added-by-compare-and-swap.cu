// id:       double-added-by-compare-and-swap
// chapter:  warps-divergence
// source:   the CUDA C++ Programming Guide's atomicAdd for double, and the maximum of floats made alike
// did:      read the old value by a plain load, then swap until nobody came between
// cause:    the read is only a guess: the swap verifies it and otherwise tells the true value
// kind:     none
// shows:    always

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#ifdef FIXED
__device__ void add(double* sum, double value) { atomicAdd(sum, value); }
__device__ void raise(float* most, float value) { atomicMax((int*)most, __float_as_int(value)); }
#else
__device__ void add(double* sum, double value) {
  unsigned long long* bits = (unsigned long long*)sum;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
}
__device__ void raise(float* most, float value) {
  int old = *(int*)most;
  while (value > __int_as_float(old)) {
    const int assumed = old;
    old = atomicCAS((int*)most, assumed, __float_as_int(value));
    if (old == assumed) break;
  }
}
#endif

__global__ void total(int n, const float* x, double* sum, float* most) {
  __shared__ double part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    add(&part, x[i]);
    raise(most, x[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0) add(sum, part);
}

int main() {
  const int n = 500;
  float x[n];
  for (int i = 0; i < n; ++i) x[i] = float(i);
  float* dx;
  struct Result { double sum; float most, unused; } result{}, *d;
  CK(cudaMalloc(&dx, sizeof x));
  CK(cudaMalloc(&d, sizeof result));
  CK(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(d, &result, sizeof result, cudaMemcpyHostToDevice));
  total<<<4, 128>>>(n, dx, &d->sum, &d->most);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&result, d, sizeof result, cudaMemcpyDeviceToHost));
  printf("sum %g (124750), most %g (499)\n", result.sum, result.most);
  CK(cudaFree(dx));
  CK(cudaFree(d));
}
