// id:       memset-queued-in-another-stream
// chapter:  streams
// source:   GitHub CERN/TIGRE pull request #609 (cudaMemsetAsync moved from stream[+1] to
//           stream[+4])
// did:      cleared a buffer with cudaMemsetAsync in one stream and filled it in another
// saw:      ghosts of old data, or new data wiped out, in the last chunk
// cause:    the clear and the fill are in different streams and unordered
// kind:     stream-race
// point-at: line 34 (also accept: 32)
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
    int h[32] = {}, *d;
    cudaStream_t a, b;
    CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CK(cudaMalloc(&d, sizeof(h)));
#ifdef FIXED
    CK(cudaMemsetAsync(d, 0, sizeof(h), b));
#else
    CK(cudaMemsetAsync(d, 0, sizeof(h), a));        // <-- also accepted
#endif
    slowFill<<<1, 16, 0, b>>>(d, 9);                // <-- BUG
    CK(cudaGetLastError());
    CK(cudaStreamSynchronize(a)); CK(cudaStreamSynchronize(b));
    CK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d %d (want 9 0; may look right)\n", h[0], h[31]);
    CK(cudaFree(d)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
