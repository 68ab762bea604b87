// Paths as a learner wants to read and click them: from the root of the tree.
#pragma once

#include <string>

namespace lab {

std::string shown_path(const std::string& path);

}  // namespace lab
