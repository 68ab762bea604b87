// The product of factors in half precision by cuBLAS, with sums in FP32.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "lab/lab.h"

void matmul(int m, int n, int k, const half* a, const half* b, float* c) {
  static cublasHandle_t handle = nullptr;
  if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
    throw lab::Failure("cuBLAS does not start");
  const float one = 1, zero = 0;
  if (cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, CUDA_R_16F, n, a, CUDA_R_16F,
                   k, &zero, c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                   CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_SUCCESS)
    throw lab::Failure("cublasGemmEx failed");
}
