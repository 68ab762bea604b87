#include "sim/count/metrics.h"

#include <algorithm>

namespace sim::count {

namespace {

constexpr Metric table[] = {
#define COUNTER(id, name, unit, definition) {#id, name, unit, definition, Metric::Kind::counter},
#define RATIO(id, name, unit, above, below, scale, definition) \
  {#id, name, unit, definition, Metric::Kind::ratio},
#define LAUNCH(id, name, unit, definition) {#id, name, unit, definition, Metric::Kind::launch},
#include "sim/count/metrics.def"
};

struct Ratio {
  const char* name;
  Counter above, below;
  double scale;
};

constexpr Ratio ratios[] = {
#define COUNTER(id, name, unit, definition)
#define RATIO(id, name, unit, above, below, scale, definition) \
  {name, Counter::above, Counter::below, scale},
#define LAUNCH(id, name, unit, definition)
#include "sim/count/metrics.def"
};

constexpr const char* counter_names[counters] = {
#define COUNTER(id, name, unit, definition) name,
#define RATIO(id, name, unit, above, below, scale, definition)
#define LAUNCH(id, name, unit, definition)
#include "sim/count/metrics.def"
};

}  // namespace

std::span<const Metric> all_metrics() { return table; }

const Metric* find_metric(std::string_view name) {
  const auto it = std::ranges::find(table, name, &Metric::name);
  return it == std::end(table) ? nullptr : it;
}

std::map<std::string, double> Sums::by_name(bool with_zeros) const {
  std::map<std::string, double> result;
  for (std::size_t i = 0; i < counters; ++i)
    if (with_zeros || value_[i] != 0) result.emplace(counter_names[i], value_[i]);
  for (const Ratio& r : ratios) {
    const auto above = static_cast<double>((*this)[r.above]);
    const auto below = static_cast<double>((*this)[r.below]);
    if (below != 0)
      result.emplace(r.name, r.scale * above / below);
    else if (with_zeros)
      result.emplace(r.name, 0);
  }
  return result;
}

void add(std::map<std::string, double>& sum, const std::map<std::string, double>& more) {
  for (const char* name : counter_names)
    if (const auto it = more.find(name); it != more.end()) sum[name] += it->second;
  const auto value = [&](Counter c) {
    const auto it = sum.find(counter_names[static_cast<std::size_t>(c)]);
    return it == sum.end() ? 0 : it->second;
  };
  for (const Ratio& r : ratios)
    if (const double below = value(r.below); below != 0)
      sum[r.name] = r.scale * value(r.above) / below;
}

}  // namespace sim::count
