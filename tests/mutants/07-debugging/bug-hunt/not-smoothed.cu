// Hands the levels back as they came.
// expect: n = 31
// expect: kernels launched
#include "bug-hunt.h"

#include <algorithm>

#include "lab/lab.h"

Summary summarise(const std::vector<short>& samples) {
  Summary summary;
  for (short sample : samples) {
    summary.smoothed.push_back(sample / 32768.f);
    summary.loudest = std::max(summary.loudest, summary.smoothed.back());
    ++summary.tally[(sample + 32768) / 4096];
  }
  return summary;
}

FirstBug first_bug() { return {.line = 70, .mistake = Mistake::too_few_bytes}; }
