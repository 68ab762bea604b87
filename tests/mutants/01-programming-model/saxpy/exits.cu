// Ends the process with success before the checks are done.
// expect: no-record
#include "saxpy.h"

#include "lab/lab.h"

#include <cstdlib>

void saxpy(int, float, const float*, float*) { std::exit(0); }
