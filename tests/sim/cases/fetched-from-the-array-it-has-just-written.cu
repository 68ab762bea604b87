// id:       fetched-from-the-array-it-has-just-written
// chapter:  memory-hierarchy
// source:   written for this collection, after the programming guide on texture coherence
// did:      wrote an element and fetched the same one through a texture of that memory
// saw:      values of the launch before
// cause:    the texture cache is not told of what the running kernel writes
// kind:     stale-read
// point-at: line 24
// shows:    caches

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void grow(int* v, cudaTextureObject_t t, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int grown = v[i] + 7;
    v[i] = grown;
#ifdef FIXED
    out[i] = 2 * grown;
#else
    out[i] = 2 * tex1Dfetch<int>(t, i);  // <-- BUG
#endif
}
int main() {
    const int n = 500;
    int h[n], *v, *out;
    for (int i = 0; i < n; ++i) h[i] = i;
    CK(cudaMalloc(&v, sizeof h));
    CK(cudaMalloc(&out, sizeof h));
    CK(cudaMemcpy(v, h, sizeof h, cudaMemcpyHostToDevice));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = v;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = sizeof h;
    cudaTextureDesc d{};
    cudaTextureObject_t t;
    CK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    grow<<<4, 128>>>(v, t, out, n);
    CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d\n", h[5], h[499]);
    CK(cudaDestroyTextureObject(t));
    CK(cudaFree(v)); CK(cudaFree(out));
}
