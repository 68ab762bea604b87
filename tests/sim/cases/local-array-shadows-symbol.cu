// id:       local-array-shadows-symbol
// chapter:  memory-hierarchy
// source:   GitHub ROCm/hip issue #1837
// did:      had a local host array with the same name as the __constant__ array
// saw:      invalid symbol error although the spelling is right
// cause:    name lookup finds the local variable, so a host stack address is passed as symbol
// kind:     api-misuse
// point-at: line 27 (also accept: 26)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__constant__ int table[10];
__global__ void look(int* out) { out[threadIdx.x] = table[threadIdx.x]; }
int main() {
    int values[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, *d;
#ifdef FIXED
    int back[10] = {};
    CK(cudaMemcpyToSymbol(table, values, sizeof(values)));
    int* result = back;
#else
    int table[10] = {};                             // <-- also accepted
    CK(cudaMemcpyToSymbol(table, values, sizeof(values)));   // <-- BUG
    int* result = table;
#endif
    CK(cudaMalloc(&d, sizeof(values)));
    look<<<1, 10>>>(d);
    CK(cudaGetLastError());
    CK(cudaMemcpy(result, d, sizeof(values), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 10)\n", result[9]);
    CK(cudaFree(d));
}
