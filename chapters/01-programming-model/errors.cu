// Three ways in which a launch goes wrong: refused at once, found out later, and for ever after.
#include <cstdio>

__global__ void set(int* value) { *value = 1; }

void tell(const char* what, cudaError_t error) {
  std::printf("%-36s %s\n", what, cudaGetErrorString(error));
}

int main() {
  int* value = nullptr;
  cudaMalloc(&value, sizeof(int));

  // [refused]
  set<<<1, 2048>>>(value);  // a block has at most 1024 threads
  tell("launch of 2048 threads a block:", cudaGetLastError());
  tell("asked again:", cudaGetLastError());
  // [refused]

  // [later]
  set<<<1, 1>>>(nullptr);
  tell("launch that will write to nullptr:", cudaGetLastError());
  tell("after waiting for it:", cudaDeviceSynchronize());
  // [later]

  // [sticky]
  int* another = nullptr;
  tell("an allocation, afterwards:", cudaMalloc(&another, sizeof(int)));
  tell("asked for the error again:", cudaGetLastError());
  // [sticky]
}
