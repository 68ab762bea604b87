// Asynchronous copies as the toolkit's headers make them: <cuda_pipeline.h>, cuda::barrier,
// cuda::pipeline of a thread and of a block, cooperative groups. Each kernel reverses or sums what
// it copied; the program prints a line for each.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

constexpr int threads = 128, tiles = 6;

__global__ void primitives(const float* in, float* out) {
  __shared__ float4 tile[threads];
  __pipeline_memcpy_async(&tile[threadIdx.x], in + 4 * threadIdx.x, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float4 v = tile[threads - 1 - threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// The next tile is on its way while this one is used.
__global__ void two_stages(const float* in, float* out) {
  __shared__ float tile[2][threads];
  __pipeline_memcpy_async(&tile[0][threadIdx.x], in + threadIdx.x, 4);
  __pipeline_commit();
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles)
      __pipeline_memcpy_async(&tile[(t + 1) % 2][threadIdx.x], in + (t + 1) * threads + threadIdx.x,
                              4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    sum += tile[t % 2][threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

__global__ void barrier(const float* in, float* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  __shared__ alignas(16) float tile[threads];
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  block.sync();
  for (int t = 0; t < tiles; ++t) {
    cuda::memcpy_async(block, tile, in + t * threads, cuda::aligned_size_t<16>(sizeof tile),
                       arrived);
    arrived.arrive_and_wait();
    out[threadIdx.x] += tile[threads - 1 - threadIdx.x];
    block.sync();
  }
}

// Half of the threads only arrive, and drop out after the first phase.
__global__ void split_barrier(const float* in, float* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ float tile[threads];
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  auto token = ready.arrive();
  ready.wait(std::move(token));
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
  if (threadIdx.x >= threads / 2) {
    ready.arrive_and_drop();
    return;
  }
  ready.arrive_and_wait();
  tile[threadIdx.x] = 1;
  ready.arrive_and_wait();
  out[threadIdx.x] += tile[threads / 2 - 1 - threadIdx.x];
}

__global__ void block_pipeline(const float* in, float* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ float tile[2][threads];
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const auto fetch = [&](int t) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, tile[t % 2], in + t * threads, sizeof tile[0], pipeline);
    pipeline.producer_commit();
  };
  fetch(0);
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) fetch(t + 1);
    pipeline.consumer_wait();
    sum += tile[t % 2][threads - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void thread_pipeline(const float* in, float* out) {
  __shared__ float4 tile[threads];
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], reinterpret_cast<const float4*>(in) + threadIdx.x,
                     sizeof(float4), pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  out[threadIdx.x] = tile[threadIdx.x].y;
  pipeline.consumer_release();
}

__global__ void group_copy(const float* in, float* out) {
  __shared__ float tile[threads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

template <class Kernel, class Expected>
void check(const char* name, Kernel kernel, Expected expected) {
  std::vector<float> in(threads * tiles), out(threads, 0);
  std::iota(in.begin(), in.end(), 1.0f);
  float *device_in, *device_out;
  cudaMalloc(&device_in, in.size() * sizeof(float));
  cudaMalloc(&device_out, out.size() * sizeof(float));
  cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_out, out.data(), out.size() * sizeof(float), cudaMemcpyHostToDevice);
  kernel<<<1, threads>>>(device_in, device_out);
  cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < threads; ++t) wrong += out[t] != expected(in, t);
  std::printf("%s: %d wrong, %s\n", name, wrong, cudaGetErrorString(cudaGetLastError()));
  cudaFree(device_in);
  cudaFree(device_out);
}

int main() {
  using In = std::vector<float>;
  const auto mirrored = [](const In& in, int t) { return in[threads - 1 - t]; };
  const auto column = [](const In& in, int t) {
    float sum = 0;
    for (int k = 0; k < tiles; ++k) sum += in[k * threads + t];
    return sum;
  };
  const auto mirrored_column = [&](const In& in, int t) { return column(in, threads - 1 - t); };
  check("primitives", primitives, [](const In& in, int t) {
    const float* v = &in[4 * (threads - 1 - t)];
    return v[0] + v[1] + v[2] + v[3];
  });
  check("two stages", two_stages, column);
  check("barrier", barrier, mirrored_column);
  check("split barrier", split_barrier,
        [&](const In& in, int t) { return mirrored(in, t) + (t < threads / 2 ? 1 : 0); });
  check("block pipeline", block_pipeline, mirrored_column);
  check("thread pipeline", thread_pipeline, [](const In& in, int t) { return in[4 * t + 1]; });
  check("group copy", group_copy, mirrored);
}
