// Ends the process with success before the checks are done.
// expect: no-record
#include "tiled.h"

#include "lab/lab.h"

#include <cstdlib>

void matmul(int, int, int, const float*, const float*, float*) { std::exit(0); }
