// The table of metrics (metrics.def) as C++, and the sums that fill it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace sim::count {

// What is counted while a kernel runs.
enum class Counter : std::uint8_t {
#define COUNTER(id, name, unit, definition) id,
#define RATIO(id, name, unit, above, below, scale, definition)
#define LAUNCH(id, name, unit, definition)
#include "sim/count/metrics.def"
};

inline constexpr std::size_t counters = 0
#define COUNTER(id, name, unit, definition) +1
#define RATIO(id, name, unit, above, below, scale, definition)
#define LAUNCH(id, name, unit, definition)
#include "sim/count/metrics.def"
    ;

// The name that belongs to `id`, for code that reads a KernelRecord's counters.
namespace metric {
#define COUNTER(id, name, unit, definition) inline constexpr const char* id = name;
#define RATIO(id, name, unit, above, below, scale, definition) \
  inline constexpr const char* id = name;
#define LAUNCH(id, name, unit, definition) inline constexpr const char* id = name;
#include "sim/count/metrics.def"
}  // namespace metric

// A row of the table, for the manual and for reports.
struct Metric {
  std::string_view id, name, unit, definition;
  enum class Kind : std::uint8_t { counter, ratio, launch } kind;
};
std::span<const Metric> all_metrics();
const Metric* find_metric(std::string_view name);  // nullptr when there is none of this name

// One number for each Counter: of an instruction, a line or a kernel.
class Sums {
 public:
  std::uint64_t& operator[](Counter c) { return value_[static_cast<std::size_t>(c)]; }
  std::uint64_t operator[](Counter c) const { return value_[static_cast<std::size_t>(c)]; }
  Sums& operator+=(const Sums& other) {
    for (std::size_t i = 0; i < counters; ++i) value_[i] += other.value_[i];
    return *this;
  }

  // By name, with the ratios. A kernel names all; a line only what it has.
  std::map<std::string, double> by_name(bool with_zeros) const;

 private:
  std::array<std::uint64_t, counters> value_{};
};

// Adds counters by name, as of launches of one kernel: counts add up, ratios follow from the sums,
// and what belongs to the launch stays.
void add(std::map<std::string, double>& sum, const std::map<std::string, double>& more);

// The Counter `steps` rows after `first`.
constexpr Counter after(Counter first, std::size_t steps) {
  return static_cast<Counter>(static_cast<std::size_t>(first) + steps);
}

}  // namespace sim::count
