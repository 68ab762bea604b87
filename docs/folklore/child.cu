// A kernel that launches kernels, and hands them pointers to memory of three kinds. The simulated GPU
// does not run this; nvcc compiles it with -rdc=true.

// [child]
__global__ void child(int* values) { values[threadIdx.x] *= 2; }

__global__ void parent(int* global_values) {
  __shared__ int shared_values[4];
  int own_values[4] = {1, 2, 3, 4};
  shared_values[threadIdx.x] = global_values[threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  child<<<1, 4>>>(global_values);  // right
  child<<<1, 4>>>(own_values);     // wrong, and nvcc warns
  child<<<1, 4>>>(shared_values);  // just as wrong, and nvcc says nothing
}
// [child]
