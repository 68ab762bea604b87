// What a starter carries where work is due:
//
//     LAB_TODO("launch the kernel, one thread per element");
//
// It stands in host code. Reaching it ends the grading: the lab is "not started". Remove the line
// when the work is done.
#pragma once

namespace lab {

// With WARP_WEFT_FORCE=1 this does nothing, so that the starter as shipped is graded, and fails.
void todo(const char* what, const char* file, int line);

}  // namespace lab

#define LAB_TODO(what) ::lab::todo((what), __FILE__, __LINE__)
