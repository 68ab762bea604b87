// Mends all that shows, and does not ask whether launches were accepted.
// expect: a launch is refused
#include "bug-hunt.h"

#include "lab/lab.h"

constexpr int block = 128;
constexpr int radius = 2;  // neighbours on either side

// The level of each sample, from -1 to 1.
__global__ void scale(int n, const short* samples, float* levels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) levels[i] = samples[i] / 32768.f;
}

// The mean of each level and its neighbours. The block first puts its own levels into shared
// memory, and `radius` more before and after them.
__global__ void smooth(int n, const float* levels, float* smoothed) {
  extern __shared__ float tile[];
  const int first = blockIdx.x * blockDim.x - radius;  // the level that tile[0] holds
  for (int t = threadIdx.x; t < blockDim.x + 2 * radius; t += blockDim.x)
    if (first + t >= 0 && first + t < n) tile[t] = levels[first + t];
  __syncthreads();  // the whole tile is there, before anybody reads or leaves

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int from = max(i - radius, 0), to = min(i + radius, n - 1);
  float sum = 0;
  for (int k = from; k <= to; ++k) sum += tile[k - first];
  smoothed[i] = sum / (to - from + 1);
}

// How many levels lie in each bin. The block counts its own in shared memory, then adds them to
// those of the others.
__global__ void count_levels(int n, const float* levels, unsigned* tally) {
  __shared__ unsigned own[bins];
  if (threadIdx.x < bins) own[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&own[static_cast<int>((levels[i] + 1) * (bins / 2))], 1);
  __syncthreads();
  if (threadIdx.x < bins) atomicAdd(&tally[threadIdx.x], own[threadIdx.x]);
}

// The largest value that each block sees. A thread begins with the largest of its own; then the
// upper half of the threads hands its values to the lower half, until one is left.
__global__ void largest(int n, const float* values, float* result) {
  __shared__ float best[1024];
  float mine = -1;  // no value is smaller
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine = fmaxf(mine, values[i]);
  best[threadIdx.x] = mine;
  for (int width = blockDim.x; width > 1; width = (width + 1) / 2) {
    __syncthreads();
    const int other = threadIdx.x + (width + 1) / 2;
    if (other < width) best[threadIdx.x] = fmaxf(best[threadIdx.x], best[other]);
  }
  if (threadIdx.x == 0) result[blockIdx.x] = best[0];
}

Summary summarise(const std::vector<short>& recording) {
  const int n = recording.size();
  Summary summary;
  if (n == 0) return summary;
  const int blocks = (n + block - 1) / block;

  short* samples = nullptr;
  float *levels = nullptr, *smoothed = nullptr, *peaks = nullptr, *loudest = nullptr;
  unsigned* tally = nullptr;
  LAB_CUDA(cudaMalloc(&samples, n * sizeof(short)));
  LAB_CUDA(cudaMalloc(&levels, n * sizeof(float)));
  LAB_CUDA(cudaMalloc(&smoothed, n * sizeof(float)));
  LAB_CUDA(cudaMalloc(&tally, bins * sizeof(unsigned)));
  LAB_CUDA(cudaMalloc(&peaks, blocks * sizeof(float)));
  LAB_CUDA(cudaMalloc(&loudest, sizeof(float)));
  LAB_CUDA(cudaMemcpy(samples, recording.data(), n * sizeof(short), cudaMemcpyHostToDevice));
  LAB_CUDA(cudaMemset(tally, 0, bins * sizeof(unsigned)));

  scale<<<blocks, block>>>(n, samples, levels);
  smooth<<<blocks, block, (block + 2 * radius) * sizeof(float)>>>(n, levels, smoothed);
  count_levels<<<blocks, block>>>(n, levels, tally);
  largest<<<blocks, block>>>(n, smoothed, peaks);
  largest<<<1, block>>>(blocks, peaks, loudest);  // of the blocks' peaks

  summary.smoothed.resize(n);
  LAB_CUDA(
      cudaMemcpy(summary.smoothed.data(), smoothed, n * sizeof(float), cudaMemcpyDeviceToHost));
  LAB_CUDA(cudaMemcpy(summary.tally.data(), tally, sizeof summary.tally, cudaMemcpyDeviceToHost));
  LAB_CUDA(cudaMemcpy(&summary.loudest, loudest, sizeof(float), cudaMemcpyDeviceToHost));
  LAB_CUDA(cudaFree(samples));
  LAB_CUDA(cudaFree(levels));
  LAB_CUDA(cudaFree(smoothed));
  LAB_CUDA(cudaFree(tally));
  LAB_CUDA(cudaFree(peaks));
  LAB_CUDA(cudaFree(loudest));
  return summary;
}

FirstBug first_bug() { return {.line = 70, .mistake = Mistake::too_few_bytes}; }
