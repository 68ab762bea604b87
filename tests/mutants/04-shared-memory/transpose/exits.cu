// Ends the process with success before the checks are done.
// expect: no-record
#include "transpose.h"

#include "lab/lab.h"

#include <cstdlib>

void transpose(int, int, const float*, float*) { std::exit(0); }
