// The same by cuBLAS, in full FP32: its default math mode does not use TF32. cuBLAS takes matrices
// column by column; a matrix stored row by row is its transpose there, so c^T = b^T · a^T.
#include <cublas_v2.h>

#include "tiled.h"

#include "lab/lab.h"

void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  static cublasHandle_t handle = nullptr;
  if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
    throw lab::Failure("cuBLAS does not start");
  const float one = 1, zero = 0;
  if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n) !=
      CUBLAS_STATUS_SUCCESS)
    throw lab::Failure("cublasSgemm failed");
}
