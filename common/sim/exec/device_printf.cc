#include "sim/exec/device_printf.h"

#include <cstdio>
#include <cstring>
#include <string_view>

namespace sim::exec {

namespace {

// The packed arguments, read one after the other.
class Values {
 public:
  explicit Values(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    if (at_ + sizeof(T) <= bytes_.size()) std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof(T);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

template <class... Args>
std::string print(const std::string& spec, Args... args) {
  const int size = std::snprintf(nullptr, 0, spec.c_str(), args...);
  std::string out(static_cast<std::size_t>(size < 0 ? 0 : size), '\0');
  std::snprintf(out.data(), out.size() + 1, spec.c_str(), args...);
  return out;
}

}  // namespace

std::string format_printf(const std::string& format, std::span<const std::byte> values,
                          const std::function<std::string(std::uint64_t)>& text_at, int& count) {
  Values arguments(values);
  std::string out;
  count = 0;
  for (std::size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      out += format[i++];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      out += '%';
      i += 2;
      continue;
    }
    // %[flags][width][.precision][size]type; `*` takes an int argument.
    std::string spec = "%";
    std::size_t end = i + 1;
    bool wide = false;
    for (; end < format.size() && std::strchr("-+ #0123456789.*", format[end]); ++end) {
      if (format[end] == '*')
        spec += std::to_string(arguments.next<std::int32_t>());
      else
        spec += format[end];
    }
    for (; end < format.size() && std::strchr("hlLjzt", format[end]); ++end)
      wide |= std::strchr("ljzt", format[end]) != nullptr;
    if (end == format.size()) {  // not a conversion: printed as it stands
      out += format.substr(i);
      break;
    }
    const char type = format[end];
    ++count;
    if (std::strchr("di", type)) {
      out += wide ? print(spec + "lld", arguments.next<long long>())
                  : print(spec + "d", arguments.next<int>());
    } else if (std::strchr("uoxX", type)) {
      out += wide ? print(spec + "ll" + type, arguments.next<unsigned long long>())
                  : print(spec + type, arguments.next<unsigned>());
    } else if (type == 'c') {
      out += print(spec + 'c', arguments.next<int>());
    } else if (std::strchr("eEfFgGaA", type)) {
      out += print(spec + type, arguments.next<double>());
    } else if (type == 'p') {
      out += print(spec + 'p', reinterpret_cast<void*>(arguments.next<std::uintptr_t>()));
    } else if (type == 's') {
      out += print(spec + 's', text_at(arguments.next<std::uint64_t>()).c_str());
    } else {
      out += format.substr(i, end + 1 - i);
      --count;
    }
    i = end + 1;
  }
  return out;
}

}  // namespace sim::exec
