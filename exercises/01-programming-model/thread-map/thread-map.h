// Exercise: who is who. Every thread writes down where it stands.
#pragma once

/// Where the threads of a one-dimensional grid stand, as four device arrays with one element for
/// each thread of the grid. Element g belongs to the thread with the global number g.
struct ThreadMap {
  int* global;  ///< The thread's number in the whole grid: 0, 1, 2 …
  int* block;   ///< The number of its block in the grid.
  int* warp;    ///< The number of its warp in its block: threads 0 to 31 are warp 0, and so on.
  int* lane;    ///< Its place in its warp, 0 to 31.
};

/// Launches `blocks` blocks of `threads` threads, and each thread fills in its own elements.
///
/// @param blocks   blocks of the grid, at least 1.
/// @param threads  threads of each block, from 1 to 1024; any number, so a block's last warp may be
///                 short.
/// @param map      device arrays of blocks · threads elements each.
///
/// Returns when the kernel is launched. A launch that the device refuses throws (LAB_CUDA does
/// that).
void map_threads(int blocks, int threads, ThreadMap map);
