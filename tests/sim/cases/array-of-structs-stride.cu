// id:       array-of-structs-stride
// chapter:  memory-hierarchy
// source:   NVIDIA forum thread 13581 'Structures of Arrays vs Arrays of Structures?'
// did:      kept particles as an array of structs and updated one field
// saw:      a third to an eighth of the expected bandwidth
// cause:    lanes read 4 useful bytes out of every 32: stride sizeof(struct)
// kind:     perf-uncoalesced
// point-at: line 26
// shows:    access-pattern

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

struct Particle { float x, y, z, vx, vy, vz, mass, pad; };
#ifdef FIXED
__global__ void move(float* x, const float* vx, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += vx[i] * dt;
}
#else
__global__ void move(Particle* p, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].x += p[i].vx * dt;              // <-- BUG
}
#endif
int main() {
    const int n = 1024;
    float last = 0;
#ifdef FIXED
    float *x, *vx;
    CK(cudaMalloc(&x, n * sizeof(float))); CK(cudaMalloc(&vx, n * sizeof(float)));
    CK(cudaMemset(x, 0, n * sizeof(float))); CK(cudaMemset(vx, 0, n * sizeof(float)));
    move<<<n / 256, 256>>>(x, vx, n, 0.1f);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&last, x + n - 1, sizeof(float), cudaMemcpyDeviceToHost));
    CK(cudaFree(x)); CK(cudaFree(vx));
#else
    Particle* p;
    CK(cudaMalloc(&p, n * sizeof(Particle)));
    CK(cudaMemset(p, 0, n * sizeof(Particle)));
    move<<<n / 256, 256>>>(p, n, 0.1f);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&last, &p[n - 1].x, sizeof(float), cudaMemcpyDeviceToHost));
    CK(cudaFree(p));
#endif
    printf("saw: %g (want 0)\n", last);
}
