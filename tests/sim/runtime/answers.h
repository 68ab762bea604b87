// How the recorded programs tell what the runtime answers: a line for each call. They run on a real
// GPU and on the simulated one, which must print the same.
#pragma once

#include <cstdio>

#include <cuda_runtime.h>

extern const int column;  // where the answers begin; each program has its own

inline void line(const char* what, cudaError_t error) {
  std::printf("%-*s %s\n", column, what, cudaGetErrorName(error));
}
inline void number(const char* what, long long value) {
  std::printf("%-*s %lld\n", column, what, value);
}
// The same as line(), and the last error is cleared, so that it is not taken for the next launch's.
inline void cleared(const char* what, cudaError_t error) {
  line(what, error);
  cudaGetLastError();
}
#define ASK(call) line(#call, call)
#define CALL(call) cleared(#call, call)
