// Launches five kernels that do nothing, and lets the host do the work.
// expect: sectors stored by kernels
#include "bug-hunt.h"

#include <algorithm>

#include "lab/lab.h"

__global__ void scale() {}

Summary summarise(const std::vector<short>& samples) {
  const int n = samples.size();
  Summary summary;
  if (n == 0) return summary;
  for (int step = 0; step < 5; ++step) scale<<<1, 32>>>();
  LAB_CUDA(cudaGetLastError());
  for (int i = 0; i < n; ++i) {
    const int from = std::max(i - 2, 0), to = std::min(i + 2, n - 1);
    float sum = 0;
    for (int k = from; k <= to; ++k) sum += samples[k] / 32768.f;
    summary.smoothed.push_back(sum / (to - from + 1));
    summary.loudest = std::max(summary.loudest, summary.smoothed.back());
    ++summary.tally[(samples[i] + 32768) / 4096];
  }
  return summary;
}

FirstBug first_bug() { return {.line = 70, .mistake = Mistake::too_few_bytes}; }
