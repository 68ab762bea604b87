#include "sim/report/source_file.h"

#include <fstream>

namespace sim::report {

const std::string* SourceFiles::line(const std::string& file, int number) {
  auto it = files_.find(file);
  if (it == files_.end()) {
    it = files_.emplace(file, std::vector<std::string>{}).first;
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) it->second.push_back(std::move(text));
  }
  const std::vector<std::string>& lines = it->second;
  if (number < 1 || static_cast<std::size_t>(number) > lines.size()) return nullptr;
  return &lines[static_cast<std::size_t>(number) - 1];
}

}  // namespace sim::report
