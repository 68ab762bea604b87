// Sums over the kernels of a report: the same for every device.
#include "profile/profile.h"

namespace profile {

std::optional<double> Report::total(const std::string& counter) const {
  std::optional<double> sum;
  for (const Kernel& kernel : kernels)
    if (auto found = kernel.counters.find(counter); found != kernel.counters.end())
      sum = sum.value_or(0) + found->second;
  return sum;
}

std::optional<double> Report::ratio(const std::string& above, const std::string& below) const {
  auto numerator = total(above), denominator = total(below);
  if (!numerator || !denominator || *denominator == 0) return std::nullopt;
  return *numerator / *denominator;
}

}  // namespace profile
