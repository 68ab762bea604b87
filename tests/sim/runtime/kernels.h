// Kernels for the tests of the runtime, and variables that the host reaches by name.
#pragma once

#include <cuda_runtime_api.h>

void launch_nothing(unsigned grid, unsigned block, cudaStream_t stream = nullptr);
void launch_nothing_3d(dim3 grid, dim3 block);
void launch_add(int* p, int n, int value);  // p[i] += value
void launch_print(int lines);               // "line 0" …
void launch_store_out_of_bounds(int* p);    // writes p[1 << 20]
void launch_trap();
void launch_dynamic(int* out, unsigned bytes);  // fills that much shared memory
void launch_ask_who_is_here(int* p);            // reads p[0 … 31], writes p[0 … 95]
const void* dynamic_kernel();
const void* nothing_kernel();
const void* add_kernel();

extern const void* variable_symbol;   // __device__ int variable[4] = {1, 2, 3, 4}
extern const void* constants_symbol;  // __constant__ float constants[16]
int* managed_counter();               // __managed__ int counter = 41
void launch_count_up();               // ++counter
