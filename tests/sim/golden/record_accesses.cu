// Makes each access pattern once, for Nsight Compute to count on a real GPU. Launch n of the
// program is line n of what it prints; accesses.txt has the counters of those launches:
//
//   nvcc -arch=native record_accesses.cu -o record_accesses
//   ncu --csv --page raw --metrics <as in accesses.txt> ./record_accesses
#include <cstdio>

#include "access_patterns.h"

__constant__ unsigned at[32];
__device__ unsigned sink;  // never written: keeps the loads alive

enum Kind { load, store, atomic, dropped };  // dropped: an atomic whose old value nobody reads

template <int Bytes, Kind K>
__global__ void in_shared(unsigned lanes) {
  extern __shared__ unsigned memory[];
  const unsigned a = at[threadIdx.x] + (unsigned)__cvta_generic_to_shared(memory);
  unsigned x = 1, y = 2, z = 3, w = 4;
  if (lanes >> threadIdx.x & 1) {
    if (K == load && Bytes == 1) asm volatile("ld.volatile.shared.u8 %0, [%1];" : "=r"(x) : "r"(a));
    if (K == load && Bytes == 4)
      asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(a));
    if (K == load && Bytes == 8)
      asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];" : "=r"(x), "=r"(y) : "r"(a));
    if (K == load && Bytes == 16)
      asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                   : "r"(a));
    if (K == store && Bytes == 1)
      asm volatile("st.volatile.shared.u8 [%0], %1;" ::"r"(a), "r"(lanes));
    if (K == store && Bytes == 4)
      asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(a), "r"(lanes));
    if (K == store && Bytes == 8)
      asm volatile("st.volatile.shared.v2.u32 [%0], {%1,%1};" ::"r"(a), "r"(lanes));
    if (K == store && Bytes == 16)
      asm volatile("st.volatile.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(a), "r"(lanes));
    if (K == atomic) asm volatile("atom.shared.max.u32 %0, [%1], 3;" : "=r"(x) : "r"(a));
    if (K == dropped)
      asm volatile("{ .reg .u32 t; atom.shared.add.u32 t, [%0], %1; }" ::"r"(a), "r"(lanes));
  }
  if (x + y + z + w == 77) sink = x;
}

template <int Bytes, Kind K>
__global__ void in_global(char* memory, unsigned lanes) {
  char* a = memory + at[threadIdx.x];
  unsigned x = 1, y = 2, z = 3, w = 4;
  if (lanes >> threadIdx.x & 1) {
    if (K == load && Bytes == 4)
      asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(x) : "l"(a));
    if (K == load && Bytes == 8)
      asm volatile("ld.volatile.global.v2.u32 {%0,%1}, [%2];" : "=r"(x), "=r"(y) : "l"(a));
    if (K == load && Bytes == 16)
      asm volatile("ld.volatile.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                   : "l"(a));
    if (K == store && Bytes == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(a), "r"(lanes));
    if (K == store && Bytes == 8)
      asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(a), "r"(lanes));
    if (K == store && Bytes == 16)
      asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(a), "r"(lanes));
    if (K == atomic) asm volatile("atom.global.max.u32 %0, [%1], 3;" : "=r"(x) : "l"(a));
    if (K == dropped) asm volatile("red.global.add.u32 [%0], 3;" ::"l"(a));
  }
  if (x + y + z + w == 77) sink = x;
}

char* memory;

template <int Bytes, Kind K>
void make(const AccessPattern& p, const char* kind) {
  std::printf("%s %d %s %s\n", p.space, p.bytes, kind, p.name);
  if (p.space[0] == 's')
    in_shared<Bytes, K><<<1, 32, 8192>>>(p.lanes);
  else
    in_global<Bytes, K><<<1, 32>>>(memory, p.lanes);
}

template <int Bytes>
void make_all(const AccessPattern& p) {
  make<Bytes, load>(p, "ld");
  make<Bytes, store>(p, "st");
  if (Bytes == 4) {
    make<Bytes, atomic>(p, "atom");
    make<Bytes, dropped>(p, "red");
  }
}

int main() {
  cudaMalloc(&memory, 1 << 20);
  cudaMemset(memory, 0, 1 << 20);
  for (const AccessPattern& p : access_patterns) {
    unsigned offsets[32];
    for (int l = 0; l < 32; ++l) offsets[l] = p.offset(l);
    cudaMemcpyToSymbol(at, offsets, sizeof offsets);
    if (p.bytes == 1) make_all<1>(p);
    if (p.bytes == 4) make_all<4>(p);
    if (p.bytes == 8) make_all<8>(p);
    if (p.bytes == 16) make_all<16>(p);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
