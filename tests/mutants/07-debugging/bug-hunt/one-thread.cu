// Gets rid of the race by getting rid of the threads.
// expect: active lanes per warp
#include "bug-hunt.h"

#include "lab/lab.h"

// One thread does everything in turn, so no two can race.
__global__ void scale(int n, const short* samples, float* levels) {
  for (int i = 0; i < n; ++i) levels[i] = samples[i] / 32768.f;
}

__global__ void smooth(int n, const float* levels, float* smoothed) {
  for (int i = 0; i < n; ++i) {
    const int from = max(i - 2, 0), to = min(i + 2, n - 1);
    float sum = 0;
    for (int k = from; k <= to; ++k) sum += levels[k];
    smoothed[i] = sum / (to - from + 1);
  }
}

__global__ void count_levels(int n, const float* levels, unsigned* tally) {
  for (int i = 0; i < n; ++i) ++tally[static_cast<int>((levels[i] + 1) * (bins / 2))];
}

__global__ void largest(int n, const float* values, float* result) {
  *result = -1;
  for (int i = 0; i < n; ++i) *result = fmaxf(*result, values[i]);
}

Summary summarise(const std::vector<short>& recording) {
  const int n = recording.size();
  Summary summary;
  if (n == 0) return summary;

  short* samples = nullptr;
  float *levels = nullptr, *smoothed = nullptr, *peaks = nullptr, *loudest = nullptr;
  unsigned* tally = nullptr;
  LAB_CUDA(cudaMalloc(&samples, n * sizeof(short)));
  LAB_CUDA(cudaMalloc(&levels, n * sizeof(float)));
  LAB_CUDA(cudaMalloc(&smoothed, n * sizeof(float)));
  LAB_CUDA(cudaMalloc(&tally, bins * sizeof(unsigned)));
  LAB_CUDA(cudaMalloc(&peaks, sizeof(float)));
  LAB_CUDA(cudaMalloc(&loudest, sizeof(float)));
  LAB_CUDA(cudaMemcpy(samples, recording.data(), n * sizeof(short), cudaMemcpyHostToDevice));
  LAB_CUDA(cudaMemset(tally, 0, bins * sizeof(unsigned)));

  scale<<<1, 1>>>(n, samples, levels);
  LAB_CUDA(cudaGetLastError());
  smooth<<<1, 1>>>(n, levels, smoothed);
  LAB_CUDA(cudaGetLastError());
  count_levels<<<1, 1>>>(n, levels, tally);
  LAB_CUDA(cudaGetLastError());
  largest<<<1, 1>>>(n, smoothed, peaks);
  LAB_CUDA(cudaGetLastError());
  largest<<<1, 1>>>(1, peaks, loudest);  // of the blocks' peaks
  LAB_CUDA(cudaGetLastError());

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
