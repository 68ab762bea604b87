// The lab of chapter 2: where the particles' numbers lie in memory, and a step that moves them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

/// What is known of a particle: eight floats.
enum Field { pos_x, pos_y, pos_z, vel_x, vel_y, vel_z, mass, charge };

/// How many fields a particle has.
constexpr int fields = 8;

/// How fast the particles gain speed downwards, against z.
constexpr float gravity = 9.81f;

/// How many floats the memory of n particles must have.
///
/// At least fields · n. It may be more, for padding, but not more than fields · (n + 64).
/// For n = 0 any size up to that will do.
std::size_t floats_for(int n);

/// Where a field of particle i lies when there are n of them: an index into their floats.
///
/// No two fields of any two particles may share a place, and every place is below floats_for(n).
/// Whoever fills the memory, reads it or works on it asks this function. So the layout is decided
/// here, and nowhere else.
__host__ __device__ std::size_t place(Field field, int i, int n);

/// Moves n particles on by dt seconds, on the device. For each of them:
///
///     vel_z = vel_z - gravity * dt;
///     pos_x = pos_x + vel_x * dt;
///
/// and y and z likewise, z with the new velocity.
///
/// @param n          how many particles; any number from 0 up. For 0 nothing is launched.
/// @param dt         the time that passes.
/// @param particles  device pointer to floats_for(n) floats, in the layout that `place` tells; the
///                   memory begins at a multiple of 256 bytes. The fields that do not change are
///                   not written.
void step(int n, float dt, float* particles);
