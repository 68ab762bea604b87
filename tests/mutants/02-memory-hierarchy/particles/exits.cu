// Ends the process with success before the checks are done.
// expect: no-record
#include "particles.h"

#include "lab/lab.h"

#include <cstdlib>

__host__ __device__ std::size_t pitch(int n) { return (std::size_t(n) + 31) / 32 * 32; }

std::size_t floats_for(int n) { return fields * pitch(n); }

__host__ __device__ std::size_t place(Field field, int i, int n) { return field * pitch(n) + i; }

void step(int, float, float*) { std::exit(0); }
