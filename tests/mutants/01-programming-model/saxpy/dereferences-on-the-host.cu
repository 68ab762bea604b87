// Uses the device pointers on the host.
// expect: crashed
#include "saxpy.h"

#include "lab/lab.h"

void saxpy(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}
