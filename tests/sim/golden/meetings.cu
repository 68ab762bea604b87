// How threads go on, and how they meet: branches, calls, the stack, barriers, mbarriers and
// asynchronous copies. What a real GPU answered stands in meetings.txt, and the simulated one must
// print the same. To record again, on a machine with a GPU, from this folder:
//
//   nvcc -std=c++20 -gencode arch=compute_90,code=sm_90 meetings.cu -o meetings
//   ./meetings > meetings.txt
//
// Each kernel runs as one block of 128 threads, and each thread writes one word.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <alloca.h>
#include <cuda_runtime.h>

constexpr int threads = 128;

__device__ unsigned mine() { return threadIdx.x; }
__device__ unsigned address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
using Barrier = std::uint64_t;  // an mbarrier in shared memory

// ---- Which way ----

__device__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void recursion(unsigned* out) { out[mine()] = ackermann(mine() % 3, mine() / 32); }

using Step = unsigned (*)(unsigned);
__device__ unsigned twice(unsigned x) { return 2 * x; }
__device__ unsigned plus_seven(unsigned x) { return x + 7; }
__device__ unsigned squared(unsigned x) { return x * x; }
__device__ Step steps[] = {twice, plus_seven, squared};
__global__ void calls_by_table(unsigned* out) {
  unsigned x = mine();
  for (unsigned i = 0; i < 4; ++i) x = steps[(x + i) % 3](x) % 1000;
  out[mine()] = x;
}

struct Shape {
  __device__ virtual unsigned area(unsigned side) const = 0;
};
struct Square : Shape {
  __device__ unsigned area(unsigned side) const override { return side * side; }
};
struct Slab : Shape {
  __device__ unsigned area(unsigned side) const override { return 10 * side; }
};
__global__ void virtual_calls(unsigned* out) {
  const Square square;
  const Slab slab;
  const Shape* shapes[] = {&square, &slab};
  out[mine()] = shapes[mine() / 3 % 2]->area(mine());
}

__global__ void branch_table(unsigned* out) {
  unsigned x = mine();
  for (int i = 0; i < 3; ++i) switch (x % 7) {
      case 0: x = x * 3 + 1; break;
      case 1: x ^= 0x55; break;
      case 2: x += 100; [[fallthrough]];
      case 3: x = __brev(x) >> 20; break;
      case 4: x = x / 3; break;
      case 5: x = __popc(x) * 11; break;
      default: x -= 5;
    }
  out[mine()] = x;
}

__global__ void left_early(unsigned* out) {
  out[mine()] = 1;
  if (mine() % 5 == 0) return;
  for (unsigned i = 0; i < mine(); ++i) {
    if (i * i > mine()) return;
    out[mine()] += i;
  }
}
__global__ void who_is_left(unsigned* out) {
  if (mine() % 4 == 1 || mine() / 32 == 2) return;
  __syncwarp(0xddddddddu);
  out[mine()] = __activemask();
}

__global__ void own_stack(unsigned* out) {
  const unsigned n = mine() % 9 + 1;
  auto* words = static_cast<unsigned*>(alloca(n * sizeof(unsigned)));
  for (unsigned i = 0; i < n; ++i) words[i] = i * mine();
  unsigned sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += words[(i * 5 + 2) % n];
  out[mine()] = sum;
}
__global__ void stack_given_back(unsigned* out) {
  std::uint64_t before, after;
  asm volatile("stacksave.u64 %0;" : "=l"(before));
  unsigned sum = 0;
  for (unsigned i = 1; i < 5; ++i) {
    std::uint64_t here;
    asm volatile("stacksave.u64 %0;" : "=l"(here));
    auto* words = static_cast<volatile unsigned*>(alloca(16 * i));
    words[i] = i + mine();
    sum += words[i];
    asm volatile("stackrestore.u64 %0;" ::"l"(here));
  }
  asm volatile("stacksave.u64 %0;" : "=l"(after));
  out[mine()] = sum + (before == after ? 0 : 100000);
}

// ---- Where it lies ----

__constant__ unsigned constants[4] = {1, 2, 3, 4};
__global__ void spaces(unsigned* out) {
  __shared__ unsigned cell;
  volatile unsigned local[4] = {mine()};
  const void* places[] = {out, &cell, const_cast<unsigned*>(local), constants};
  unsigned answers = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const void* p = places[(i + mine()) % 4];
    unsigned bits;
    asm("{ .reg .pred a, b, c, d; .reg .u32 x;\n"
        "isspacep.global a, %1; isspacep.shared b, %1; isspacep.local c, %1; isspacep.const d, "
        "%1;\n"
        "selp.u32 %0, 1, 0, a;\n"
        "selp.u32 x, 2, 0, b; or.b32 %0, %0, x;\n"
        "selp.u32 x, 4, 0, c; or.b32 %0, %0, x;\n"
        "selp.u32 x, 8, 0, d; or.b32 %0, %0, x; }"
        : "=r"(bits)
        : "l"(p));
    answers = answers << 4 | bits;
  }
  out[mine()] = answers;
}
__global__ void the_same_for_all(unsigned* out) {
  unsigned x;
  asm volatile("ldu.global.u32 %0, [%1];" : "=r"(x) : "l"(out + 200));
  out[mine()] = x + mine();
}

// ---- Barriers ----

__global__ void counted_at_the_barrier(unsigned* out) {
  const int count = __syncthreads_count(mine() % 3 == 0);
  const int all = __syncthreads_and(mine() < 128), some = __syncthreads_or(mine() == 77);
  const int none = __syncthreads_or(mine() == 128);
  out[mine()] =
      static_cast<unsigned>(count) << 8 | (all != 0) << 2 | (some != 0) << 1 | (none != 0);
}
__global__ void counted_by_pairs_of_warps(unsigned* out) {
  unsigned count, both;
  asm volatile(
      "{ .reg .pred p, q;\n"
      "setp.gt.u32 p, %2, 40;\n"
      "barrier.red.popc.aligned.u32 %0, %3, 64, p;\n"
      "barrier.red.and.aligned.pred q, %3, 64, !p;\n"
      "selp.u32 %1, 1, 0, q; }"
      : "=r"(count), "=r"(both)
      : "r"(mine()), "r"(1 + mine() / 64)
      : "memory");
  out[mine()] = count << 1 | both;
}
__global__ void producers_and_consumers(unsigned* out) {
  __shared__ unsigned slots[64];
  for (unsigned turn = 0; turn < 3; ++turn) {
    if (mine() < 64) {
      if (turn > 0) asm volatile("barrier.sync.aligned 2, 128;" ::: "memory");
      slots[mine()] = mine() * mine() + turn;
      asm volatile("barrier.arrive.aligned 1, 128;" ::: "memory");
      out[mine()] = turn;
    } else {
      asm volatile("barrier.sync.aligned 1, 128;" ::: "memory");
      const unsigned x = slots[(mine() * 7 + turn) % 64];
      out[mine()] = turn == 0 ? x : out[mine()] * 3 + x;
      if (turn < 2) asm volatile("barrier.arrive.aligned 2, 128;" ::: "memory");
    }
  }
}
__global__ void warps_meet_in_parts(unsigned* out) {
  __shared__ unsigned cells[threads];
  const unsigned lane = mine() % 32;
  cells[mine()] = lane * 3;
  if (lane < 12) {
    __syncwarp(0xfff);
    out[mine()] = cells[mine() / 32 * 32 + (lane + 5) % 12];
  } else {
    __syncwarp(0xfffff000);
    out[mine()] = cells[mine() / 32 * 32 + 12 + (lane + 3) % 20];
  }
}

// ---- mbarriers ----

__device__ void init(Barrier* b, unsigned expected) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(b)), "r"(expected) : "memory");
}
__device__ std::uint64_t arrive(Barrier* b) {
  std::uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address(b)) : "memory");
  return state;
}
__device__ unsigned pending(std::uint64_t state) {
  unsigned n;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(state));
  return n;
}
__device__ unsigned is_over(Barrier* b, std::uint64_t state) {
  unsigned yes;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(yes)
               : "r"(address(b)), "l"(state)
               : "memory");
  return yes;
}
__device__ unsigned is_over_by_parity(Barrier* b, unsigned parity) {
  unsigned yes;
  asm volatile(
      "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(yes)
      : "r"(address(b)), "r"(parity)
      : "memory");
  return yes;
}

// Every thread has a barrier of its own, and expects one more arrival than the one before.
__global__ void arrivals_of_one(unsigned* out) {
  __shared__ Barrier barriers[threads];
  Barrier* b = &barriers[mine()];
  const unsigned expected = mine() % 6 + 1;
  init(b, expected);
  unsigned answers = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const std::uint64_t state = arrive(b);
    answers = answers * 13 + pending(state);
    answers = answers * 2 + is_over(b, state);
    answers = answers * 2 + is_over_by_parity(b, 0);
    answers = answers * 2 + is_over_by_parity(b, 1);
  }
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address(b)) : "memory");
  out[mine()] = answers;
}
__global__ void several_at_once(unsigned* out) {
  __shared__ Barrier barriers[threads];
  Barrier* b = &barriers[mine()];
  init(b, 20);
  std::uint64_t state;
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(address(b)), "r"(mine() % 9 + 1)
               : "memory");
  unsigned answers = pending(state);
  asm volatile("mbarrier.arrive_drop.noComplete.shared.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(address(b)), "r"(mine() % 4 + 1)
               : "memory");
  answers = answers * 32 + pending(state);
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(address(b))
               : "memory");
  answers = answers * 32 + pending(state);
  answers = answers * 32 + pending(arrive(b));
  while (!is_over(b, state)) arrive(b);
  out[mine()] = answers * 32 + pending(arrive(b));  // the next phase expects fewer
}
__global__ void bytes_announced(unsigned* out) {
  __shared__ Barrier barriers[threads];
  Barrier* b = &barriers[mine()];
  init(b, 2);
  const unsigned bytes = mine() * 8 + 16;
  std::uint64_t state;
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(address(b)), "r"(bytes)
               : "memory");
  unsigned answers = pending(state);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], %1;" ::"r"(address(b)), "r"(8)
               : "memory");
  arrive(b);
  answers = answers * 2 + is_over(b, state);
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared.b64 [%0], %1;" ::"r"(address(b)), "r"(bytes)
               : "memory");
  answers = answers * 2 + is_over(b, state);
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared.b64 [%0], %1;" ::"r"(address(b)), "r"(8)
               : "memory");
  answers = answers * 2 + is_over(b, state);
  unsigned waited;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2, 1000;\n"
      "selp.u32 %0, 1, 0, p; }"
      : "=r"(waited)
      : "r"(address(b)), "l"(state)
      : "memory");
  out[mine()] = answers * 2 + waited;
}
__global__ void block_in_phases(unsigned* out) {
  __shared__ Barrier b;
  __shared__ unsigned cells[threads];
  if (mine() == 0) init(&b, threads);
  __syncthreads();
  unsigned x = mine();
  for (unsigned phase = 0; phase < 4; ++phase) {
    cells[mine()] = x;
    std::uint64_t state = arrive(&b);
    while (!is_over(&b, state)) {
    }
    x = x * 3 + cells[(mine() + 1 + phase) % threads];
    state = arrive(&b);
    while (!is_over(&b, state)) {
    }
  }
  out[mine()] = x;
}

// ---- Copies past the registers ----

template <int Bytes>
__device__ void copy(void* to, const void* from, unsigned read) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address(to)), "l"(from),
               "n"(Bytes), "r"(read)
               : "memory");
}
template <int Pending>
__device__ void wait_for_all_but() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

__global__ void copied_in_part(unsigned* out) {
  __shared__ alignas(16) unsigned char cells[threads][48];
  for (unsigned i = 0; i < 48; ++i) cells[mine()][i] = 0xee;
  const auto* from = reinterpret_cast<const unsigned char*>(out + 256) + mine() * 16;
  copy<4>(cells[mine()], from, mine() % 5);
  copy<8>(cells[mine()] + 8, from, mine() % 9);
  copy<16>(cells[mine()] + 16, from, mine() % 17);
  asm volatile(
      "{ .reg .pred p; setp.lt.u32 p, %2, 64;\n"
      "cp.async.cg.shared.global [%0], [%1], 16, p; }" ::"r"(address(cells[mine()] + 32)),
      "l"(from), "r"(mine())
      : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  unsigned hash = 1;
  for (unsigned i = 0; i < 48; ++i) hash = hash * 31 + cells[mine()][i];
  out[mine()] = hash;
}
__global__ void copied_in_groups(unsigned* out) {
  __shared__ alignas(16) unsigned cells[4][threads];
  for (unsigned i = 0; i < 4; ++i) {
    cells[i][mine()] = 0;
    copy<4>(&cells[i][mine()], out + 256 + i * threads + mine(), 4);
    commit();
  }
  wait_for_all_but<2>();
  unsigned hash = cells[0][mine()] * 31 + cells[1][mine()];
  wait_for_all_but<0>();
  for (unsigned i = 2; i < 4; ++i) hash = hash * 31 + cells[i][mine()];
  out[mine()] = hash;
}
__global__ void copies_arrive(unsigned* out) {
  __shared__ Barrier b, own[threads];
  __shared__ alignas(16) unsigned cells[threads];
  init(&own[mine()], 9);
  if (mine() == 0) init(&b, threads);
  __syncthreads();
  copy<4>(&cells[mine()], out + 256 + mine(), 4);
  // One arrival more is expected for this one, unless .noinc says that it was counted.
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(address(&own[mine()])) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(address(&b)) : "memory");
  while (!is_over_by_parity(&b, 0)) {
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[mine()] = cells[(mine() + 1) % threads] * 16 + pending(arrive(&own[mine()]));
}

// ---- The program ----

void show(const char* name, void (*kernel)(unsigned*)) {
  constexpr std::size_t words = 2048;
  std::vector<unsigned> memory(words);
  for (std::size_t i = threads; i < words; ++i) memory[i] = static_cast<unsigned>(i * 2654435761u);
  unsigned* out = nullptr;
  cudaMalloc(&out, words * sizeof(unsigned));
  cudaMemcpy(out, memory.data(), words * sizeof(unsigned), cudaMemcpyHostToDevice);
  kernel<<<1, threads>>>(out);
  const cudaError_t error =
      cudaMemcpy(memory.data(), out, threads * sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::printf("%s: %s", name, cudaGetErrorName(error));
  for (int i = 0; i < threads; ++i)
    std::printf("%s%x", i % 16 == 0 ? "\n  " : " ", memory[static_cast<std::size_t>(i)]);
  std::printf("\n");
  cudaFree(out);
}

__global__ void trapped() {
  if (mine() == 40) asm volatile("trap;");
}

int main() {
#define SHOW(kernel) show(#kernel, kernel)
  SHOW(recursion);
  SHOW(calls_by_table);
  SHOW(virtual_calls);
  SHOW(branch_table);
  SHOW(left_early);
  SHOW(who_is_left);
  SHOW(own_stack);
  SHOW(stack_given_back);
  SHOW(spaces);
  SHOW(the_same_for_all);
  SHOW(counted_at_the_barrier);
  SHOW(counted_by_pairs_of_warps);
  SHOW(producers_and_consumers);
  SHOW(warps_meet_in_parts);
  SHOW(arrivals_of_one);
  SHOW(several_at_once);
  SHOW(bytes_announced);
  SHOW(block_in_phases);
  SHOW(copied_in_part);
  SHOW(copied_in_groups);
  SHOW(copies_arrive);
  trapped<<<1, threads>>>();
  std::printf("trapped: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
