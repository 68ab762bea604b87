// Whether memory belongs to a function of the program that has returned.
#pragma once

namespace sim::runtime {

// Called while a call of the program is served. True: `p` lies on the calling thread's stack, below
// the function that made the call, where only functions that have returned had their variables.
bool is_dead_stack(const void* p);

}  // namespace sim::runtime
