// id:       callback-data-on-a-stack-that-is-gone
// chapter:  streams
// source:   GitHub cuda-api-wrappers issue 473: what a callback is given must live
// did:      passed the address of a local variable to cudaLaunchHostFunc and returned
// saw:      the callback reports nonsense
// cause:    the function runs when the stream gets there; its data must live until then
// kind:     use-after-free (also accept: api-misuse)
// point-at: line 31
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Note { int batch; int size; };
static int told = 0;
void tell(void* p) {
    Note* n = static_cast<Note*>(p);
    told += n->batch + n->size;
#ifdef FIXED
    delete n;
#endif
}
__attribute__((noinline)) void queue(int batch, cudaStream_t s) {
#ifdef FIXED
    Note* note = new Note{batch, 100};
    CK(cudaLaunchHostFunc(s, tell, note));
#else
    Note note{batch, 100};
    CK(cudaLaunchHostFunc(s, tell, &note));         // <-- BUG
#endif
}
__global__ void work(int* v) { v[threadIdx.x] = threadIdx.x; }
int main() {
    int* v;
    CK(cudaMalloc(&v, 256 * sizeof(int)));
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    for (int b = 0; b < 2; ++b) {
        work<<<1, 256, 0, s>>>(v);
        queue(b, s);
    }
    CK(cudaStreamSynchronize(s));
    printf("%d\n", told);
    CK(cudaStreamDestroy(s)); CK(cudaFree(v));
}
