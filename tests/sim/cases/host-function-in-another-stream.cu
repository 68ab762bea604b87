// id:       host-function-in-another-stream
// chapter:  streams
// did:      let a host function read the result of a copy that lies in another stream
// cause:    a host function waits for what stands before it in its own stream, and for nothing else
// kind:     stream-race
// point-at: line 22 (also accept: 33, 35)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void answer(int* out) { *out = 42; }

struct Note {
    const int* result;
    int seen;
};

void CUDART_CB read(void* data) {
    Note* note = static_cast<Note*>(data);
    note->seen = *note->result;                            // <-- BUG
}

int main() {
    cudaStream_t a, b; CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b));
    int *d, *h;
    CK(cudaMalloc(&d, sizeof(int)));
    CK(cudaMallocHost(&h, sizeof(int)));
    *h = 0;
    Note note{h, 0};
    answer<<<1, 1, 0, a>>>(d);
    CK(cudaMemcpyAsync(h, d, sizeof(int), cudaMemcpyDeviceToHost, a));
#ifdef FIXED
    CK(cudaLaunchHostFunc(a, read, &note));
#else
    CK(cudaLaunchHostFunc(b, read, &note));
#endif
    CK(cudaDeviceSynchronize());
    printf("%d\n", note.seen);
    CK(cudaFreeHost(h)); CK(cudaFree(d)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
