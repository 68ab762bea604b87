// Device printf: the format string and the packed arguments become text, as CUDA does it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace sim::exec {

// `values`: the arguments, each at its natural alignment (4 or 8 bytes). `text_at` reads a device
// string for %s. `count` receives the number of conversions, which is what printf returns.
std::string format_printf(const std::string& format, std::span<const std::byte> values,
                          const std::function<std::string(std::uint64_t)>& text_at, int& count);

}  // namespace sim::exec
