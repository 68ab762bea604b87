// Source files as the report shows them: read once, line by line.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sim::report {

class SourceFiles {
 public:
  // Line `number` (from 1); nullptr when the file cannot be read or is shorter.
  const std::string* line(const std::string& file, int number);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace sim::report
