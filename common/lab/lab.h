// What a lab's own file may use: LAB_TODO marks the work that is due, LAB_CUDA checks a CUDA call.
#pragma once

#include "lab/check.h"
#include "lab/todo.h"
