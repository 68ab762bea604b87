// id:       neighbours-of-a-registered-struct
// chapter:  streams
// source:   written for this collection
// did:      registered one small struct, and wrote the variables beside it while it is copied
// saw:      they lie in the same page
// cause:    only the struct itself belongs to the copy
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

static struct { int before[8]; int pinned[32]; int after[8]; } packet;
int main() {
    int* d;
    cudaStream_t s;
    CK(cudaMalloc(&d, sizeof packet.pinned)); CK(cudaStreamCreate(&s));
    for (int i = 0; i < 32; ++i) packet.pinned[i] = i;
    CK(cudaHostRegister(packet.pinned, sizeof packet.pinned, cudaHostRegisterDefault));
    CK(cudaMemcpyAsync(d, packet.pinned, sizeof packet.pinned, cudaMemcpyHostToDevice, s));
    for (int i = 0; i < 8; ++i) packet.before[i] = packet.after[i] = i + packet.pinned[i];
    CK(cudaStreamSynchronize(s));
    packet.pinned[0] = packet.before[1];
    CK(cudaMemcpyAsync(packet.pinned, d, sizeof packet.pinned, cudaMemcpyDeviceToHost, s));
    packet.after[0] = 1;
    CK(cudaStreamSynchronize(s));
    printf("%d\n", packet.pinned[0]);
    CK(cudaHostUnregister(packet.pinned));
    CK(cudaStreamDestroy(s)); CK(cudaFree(d));
}
