// A branch whose two sides are equally long, to be timed.
#pragma once

// Each of n threads takes the side that side[i] says, for `steps` multiplications and additions.
void take_sides(int n, int steps, const int* side, float* values);
