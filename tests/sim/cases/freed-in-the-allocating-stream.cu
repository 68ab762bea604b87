// id:       freed-in-the-allocating-stream
// chapter:  streams
// source:   GitHub NVlabs/cuda-oxide issue #619; StanfordLegion/realm issue #448
// did:      allocated and freed with the stream-ordered allocator in one stream while another
//           stream still used the memory
// saw:      intermittent corruption or an unrelated later error
// cause:    cudaFreeAsync is ordered after its own stream only; the user stream must finish (or be
//           waited for) first
// kind:     use-after-free
// point-at: line 41 (also accept: 34)
// shows:    happens-before

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void slowFill(int* a, int v) {           // takes long enough to lose the race
    int x = 0;
    for (int k = 0; k < 5000; k++) x = (x * 5 + k) & 1023;
    a[threadIdx.x] = v + (x < 0);
}
int main() {
    int h[32] = {}, *out, *tmp;
    cudaStream_t a, b; cudaEvent_t ready, done;
    CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CK(cudaEventCreate(&ready)); CK(cudaEventCreate(&done));
    CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMallocAsync(&tmp, sizeof(h), a));
    CK(cudaEventRecord(ready, a));
    CK(cudaStreamWaitEvent(b, ready, 0));
    slowFill<<<1, 32, 0, b>>>(tmp, 3);              // <-- also accepted
    CK(cudaGetLastError());
    CK(cudaMemcpyAsync(out, tmp, sizeof(h), cudaMemcpyDeviceToDevice, b));
    CK(cudaEventRecord(done, b));
#ifdef FIXED
    CK(cudaStreamWaitEvent(a, done, 0));
#endif
    CK(cudaFreeAsync(tmp, a));                      // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 3; may look right)\n", h[31]);
    CK(cudaFree(out)); CK(cudaEventDestroy(ready)); CK(cudaEventDestroy(done));
    CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
