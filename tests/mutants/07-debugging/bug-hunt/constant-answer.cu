// Says of every recording that it is empty.
// expect: n = 1
#include "bug-hunt.h"

#include "lab/lab.h"

Summary summarise(const std::vector<short>&) { return {}; }

FirstBug first_bug() { return {.line = 70, .mistake = Mistake::too_few_bytes}; }
