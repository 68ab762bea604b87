// id:       texture-fetched-while-another-stream-fills-it
// chapter:  streams
// source:   written for this collection
// did:      filled the linear memory behind a texture in one stream and fetched from it in
//           another
// saw:      some pixels of the last frame in each picture
// cause:    a fetch is a read like any other: nothing orders it after the fill in the other
//           stream
// kind:     stream-race
// point-at: line 47
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(float* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = 0.5f * i;
}
__global__ void sample(cudaTextureObject_t t, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(t, i);
}
int main() {
    const int n = 1000;
    float *v, *out;
    CK(cudaMalloc(&v, n * sizeof(float))); CK(cudaMalloc(&out, n * sizeof(float)));
    cudaStream_t a, b;
    CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b));
    cudaEvent_t filled;
    CK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = v;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = n * sizeof(float);
    cudaTextureDesc d{};
    cudaTextureObject_t t;
    CK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    fill<<<4, 256, 0, a>>>(v, n);
    CK(cudaEventRecord(filled, a));
#ifdef FIXED
    CK(cudaStreamWaitEvent(b, filled, 0));
#endif
    sample<<<4, 256, 0, b>>>(t, out, n);            // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaDestroyTextureObject(t));
    CK(cudaEventDestroy(filled)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
    CK(cudaFree(v)); CK(cudaFree(out));
}
