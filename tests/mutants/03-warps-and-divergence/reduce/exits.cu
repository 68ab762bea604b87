// Ends the process with success before the checks are done.
// expect: no-record
#include "reduce.h"

#include "lab/lab.h"

#include <cstdlib>

void reduce(int, const float*, float*) { std::exit(0); }
