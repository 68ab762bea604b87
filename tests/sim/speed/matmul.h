// One product of matrices on the simulated GPU and on the host, for the benchmark of the simulator.
#pragma once

// Device pointers to n x n floats, row-major; n is a multiple of 16.
void multiply_on_device(const float* a, const float* b, float* c, int n);

// Host pointers; the plain triple loop, built with g++ -O2 like any program.
void multiply_on_host(const float* a, const float* b, float* c, int n);
