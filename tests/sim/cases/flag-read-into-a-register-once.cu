// id:       flag-read-into-a-register-once
// chapter:  debugging
// did:      waited for an ordinary variable that another block sets
// saw:      hangs in the release build
// cause:    the compiler reads a plain variable once and keeps it in a register
// kind:     deadlock (also accept: global-race)
// point-at: line 23 (also accept: 25, 27, 29)
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#ifdef FIXED
typedef volatile int flag_t;
#else
typedef int flag_t;
#endif
__global__ void relay(flag_t* flag, int* data) {
    if (blockIdx.x == 0) {
        while (*flag == 0) { }                      // <-- BUG
        __threadfence();
        data[1] = data[0] + 1;
    } else {
        data[0] = 41;
        __threadfence();
        *flag = 1;
    }
}
int main() {
    int *m, h = 0;
    CK(cudaMalloc(&m, 4 * sizeof(int)));
    CK(cudaMemset(m, 0, 4 * sizeof(int)));
    relay<<<2, 1>>>(m, m + 1);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&h, m + 2, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h);
    CK(cudaFree(m));
}
