// The lab of chapter 6: the product of two matrices, tile by tile.
#pragma once

/// Computes the matrix product c = a · b on the device: element (row, column) of c is the sum over
/// i of a(row, i) · b(i, column). All matrices are stored row by row: a(row, i) is a[row · k + i].
///
/// @param m  number of rows of a and c, from 0 to 1 000 000.
/// @param n  number of columns of b and c, from 0 to 1 000 000.
/// @param k  number of columns of a and of rows of b, from 0 up. For 0 every sum is empty: all
///           elements of c become 0.
/// @param a  device pointer to m · k floats; only read.
/// @param b  device pointer to k · n floats; only read.
/// @param c  device pointer to m · n floats; nothing is known of what they hold before. It overlaps
///           neither a nor b.
///
/// Each matrix has at most 2³¹ - 1 elements. If c is empty, nothing is launched. One kernel does
/// the work. A block computes a tile of c, and brings the tiles of a and b that it needs into
/// shared memory: each element of them is loaded once for each tile of c, not once for each
/// element. No access to shared memory may meet a bank conflict. Returns when the kernel is
/// launched; it need not have finished. A launch that the device refuses throws (LAB_CUDA does
/// that).
void matmul(int m, int n, int k, const float* a, const float* b, float* c);
