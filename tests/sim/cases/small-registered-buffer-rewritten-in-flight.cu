// id:       small-registered-buffer-rewritten-in-flight
// chapter:  streams
// source:   written for this collection
// did:      registered a small struct, queued its upload, and changed it for the next round at
//           once
// saw:      the kernel of the first round now and then runs with the second round's settings
// cause:    the copy may read the struct at any time until the stream has passed it
// kind:     stream-race
// point-at: line 30 (also accept: 28, 29)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Settings { int round; float scale[20]; };
static Settings settings;
__global__ void apply(const Settings* s, float* out) { out[threadIdx.x] = s->scale[threadIdx.x % 20] * s->round; }
int main() {
    Settings* d;
    float* out;
    cudaStream_t s;
    CK(cudaMalloc(&d, sizeof(Settings))); CK(cudaMalloc(&out, 2 * 64 * sizeof(float)));
    CK(cudaStreamCreate(&s));
    CK(cudaHostRegister(&settings, sizeof settings, cudaHostRegisterDefault));
    for (int round = 0; round < 2; ++round) {
        settings.round = round + 1;                 // <-- also accepted
        for (float& f : settings.scale) f = 0.5f * round;  // <-- also accepted
        CK(cudaMemcpyAsync(d, &settings, sizeof settings, cudaMemcpyHostToDevice, s));  // <-- BUG
        apply<<<1, 64, 0, s>>>(d, out + 64 * round);
#ifdef FIXED
        CK(cudaStreamSynchronize(s));
#endif
    }
    CK(cudaStreamSynchronize(s));
    CK(cudaHostUnregister(&settings));
    CK(cudaStreamDestroy(s)); CK(cudaFree(d)); CK(cudaFree(out));
}
