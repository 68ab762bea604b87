// Textures and surfaces used rightly and wrongly, one way for each argument.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

__global__ void sample(cudaTextureObject_t t, float x, float y, float* out) {
  out[threadIdx.x] = tex2D<float>(t, x + threadIdx.x, y);
}
__global__ void write(cudaSurfaceObject_t s, int x, int y) {
  surf2Dwrite(1.0f + threadIdx.x, s, x, y);
}
__global__ void fetch(cudaTextureObject_t t, int* out) {
  out[threadIdx.x] = tex1Dfetch<int>(t, static_cast<int>(threadIdx.x) - 1);
}
__global__ void reduce(cudaSurfaceObject_t s) {
  asm volatile("sured.b.add.2d.u32.clamp [%0, {%1, %2}], %3;" ::"l"(s), "r"(4), "r"(0),
               "r"(threadIdx.x));
  asm volatile("sured.b.max.2d.s32.clamp [%0, {%1, %2}], %3;" ::"l"(s), "r"(8), "r"(0), "r"(-3));
  asm volatile("sured.b.or.2d.b32.zero [%0, {%1, %2}], %3;" ::"l"(s), "r"(400), "r"(0), "r"(1));
}
__global__ void ask(cudaTextureObject_t t, cudaSurfaceObject_t s, int* out) {
  asm("txq.width.b32 %0, [%1];" : "=r"(out[0]) : "l"(t));
  asm("txq.height.b32 %0, [%1];" : "=r"(out[1]) : "l"(t));
  asm("suq.width.b32 %0, [%1];" : "=r"(out[2]) : "l"(s));
}

namespace {

cudaArray_t array;
cudaTextureObject_t texture(cudaArray_t a, bool linear = false) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc d{};
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
  d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  return t;
}
cudaSurfaceObject_t surface(cudaArray_t a) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaSurfaceObject_t s = 0;
  cudaCreateSurfaceObject(&s, &r);
  return s;
}

float* out;
void show(int n) {
  std::vector<float> host(n);
  const cudaError_t error = cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s", cudaGetErrorName(error));
  for (const float v : host) std::printf(" %g", v);
  std::printf("\n");
}
void show_integers(int n) {
  std::vector<int> host(n);
  cudaMemcpy(host.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (const int v : host) std::printf("%d ", v);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
  const cudaChannelFormatDesc u8 = cudaCreateChannelDesc<unsigned char>();
  const cudaChannelFormatDesc s32 = cudaCreateChannelDesc<int>();
  float texels[4][8];
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x) texels[y][x] = 10.0f * y + x;
  cudaMallocArray(&array, &f32, 8, 4, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(array, 0, 0, texels, 32, 32, 4, cudaMemcpyHostToDevice);
  cudaMalloc(&out, 256);
  cudaMemset(out, 0, 256);
  const cudaTextureObject_t t = texture(array);
  const cudaSurfaceObject_t s = surface(array);

  if (what == "read") {
    sample<<<1, 4>>>(t, 1.5f, 2.5f, out);
    show(4);
    const cudaTextureObject_t smooth = texture(array, true);
    sample<<<1, 4>>>(smooth, 2, 1, out);
    show(4);
  } else if (what == "surface") {
    write<<<1, 1>>>(s, 12, 2);
    sample<<<1, 2>>>(t, 3.5f, 2.5f, out);
    show(2);
  } else if (what == "fetch") {
    int* numbers = nullptr;
    const int host[3] = {7, 8, 9};
    cudaMalloc(&numbers, sizeof host);
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeLinear;
    r.res.linear = {numbers, s32, sizeof host};
    cudaTextureDesc d{};
    cudaTextureObject_t l = 0;
    cudaCreateTextureObject(&l, &r, &d, nullptr);
    fetch<<<1, 5>>>(l, reinterpret_cast<int*>(out));
    show_integers(5);
  } else if (what == "destroyed-after-the-launch") {
    sample<<<1, 1>>>(t, 1.5f, 2.5f, out);
    cudaDestroyTextureObject(t);
    show(1);
  } else if (what == "destroyed") {
    cudaDestroyTextureObject(t);
    sample<<<1, 1>>>(t, 1.5f, 2.5f, out);
    show(1);
  } else if (what == "freed") {
    cudaFreeArray(array);
    sample<<<1, 1>>>(t, 1.5f, 2.5f, out);
    show(1);
  } else if (what == "no-object") {
    sample<<<1, 1>>>(0, 1.5f, 2.5f, out);
    show(1);
  } else if (what == "surface-as-texture") {
    sample<<<1, 1>>>(s, 1.5f, 2.5f, out);
    show(1);
  } else if (what == "integers-as-floats") {
    cudaArray_t bytes = nullptr;
    cudaMallocArray(&bytes, &u8, 8, 4);
    sample<<<1, 1>>>(texture(bytes), 1.5f, 2.5f, out);
    cudaDeviceSynchronize();
  } else if (what == "outside") {
    write<<<1, 1>>>(s, 32, 3);
    show(1);
  } else if (what == "misaligned") {
    write<<<1, 1>>>(s, 2, 3);
    show(1);
  } else if (what == "copy-outside") {
    std::printf("%s\n", cudaGetErrorName(cudaMemcpy2DToArray(array, 0, 1, texels, 32, 32, 4,
                                                             cudaMemcpyHostToDevice)));
  } else if (what == "reduce") {
    cudaArray_t numbers = nullptr;
    cudaMallocArray(&numbers, &s32, 8, 4, cudaArraySurfaceLoadStore);
    const int host[3] = {100, 200, -9};
    cudaMemcpy2DToArray(numbers, 0, 0, host, 12, 12, 1, cudaMemcpyHostToDevice);
    reduce<<<1, 32>>>(surface(numbers));
    cudaMemcpy2DFromArray(out, 12, numbers, 0, 0, 12, 1, cudaMemcpyDeviceToDevice);
    show_integers(3);
  } else if (what == "ask") {
    ask<<<1, 1>>>(t, s, reinterpret_cast<int*>(out));
    show_integers(3);
  }
}
