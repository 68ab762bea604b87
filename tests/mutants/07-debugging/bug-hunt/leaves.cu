// Ends the program before anybody can look.
// expect: no-record
#include "bug-hunt.h"

#include <cstdlib>

#include "lab/lab.h"

Summary summarise(const std::vector<short>&) { std::exit(0); }

FirstBug first_bug() { return {.line = 70, .mistake = Mistake::too_few_bytes}; }
