// id:       struct-padding-copied-along
// chapter:  memory-hierarchy
// did:      wrote the two members of a struct and copied whole structs
// why right:the bytes between the members hold nothing, but nobody computes with them
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Item { char tag; int value; };
__global__ void fill(Item* p, int n) {
    int i = threadIdx.x;
    if (i < n) { p[i].tag = i; p[i].value = i; }
}
__global__ void copy(const Item* p, Item* q, int n) {
    int i = threadIdx.x;
    if (i < n) q[i] = p[i];
}
__global__ void total(const Item* q, int* sum, int n) {
    int i = threadIdx.x;
    if (i < n) { Item item = q[i]; atomicAdd(sum, item.value + item.tag); }
}
int main() {
    const int n = 64;
    Item *p, *q; int *sum, h = 0;
    CK(cudaMalloc(&p, n * sizeof(Item))); CK(cudaMalloc(&q, n * sizeof(Item))); CK(cudaMalloc(&sum, 4));
    CK(cudaMemset(sum, 0, 4));
    fill<<<1, n>>>(p, n); CK(cudaGetLastError());
    copy<<<1, n>>>(p, q, n); CK(cudaGetLastError());
    total<<<1, n>>>(q, sum, n); CK(cudaGetLastError());
    CK(cudaMemcpy(&h, sum, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 4032)\n", h);
    CK(cudaFree(p)); CK(cudaFree(q)); CK(cudaFree(sum));
}
