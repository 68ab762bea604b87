// The functions that device code calls and the machine supplies: vprintf, malloc, free and
// __assertfail. Each is called once for every active lane, in lane order.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "sim/exec/block.h"
#include "sim/exec/device_printf.h"
#include "sim/exec/spaces.h"
#include "sim/exec/warp.h"

namespace sim::exec {

namespace {

template <class T>
T read(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

}  // namespace

// The bytes behind a generic address of one lane, and how many follow; empty when there are none.
std::span<std::byte> Warp::bytes_at(const Split& split, std::uint64_t address, int lane) {
  if (in_local_window(address)) {
    const std::uint64_t at = address - local_window;
    const std::uint64_t top = split.frame->local_top();
    return at < top ? std::span(local(lane) + at, top - at) : std::span<std::byte>();
  }
  if (in_shared_window(address)) {
    const std::uint64_t at = address - shared_window;
    return at < block_.shared_bytes() ? std::span(block_.shared() + at, block_.shared_bytes() - at)
                                      : std::span<std::byte>();
  }
  const memory::Allocation* a = worker_.machine.memory->find(address);
  if (!a || address >= a->end()) return {};
  return {a->data + (address - a->begin), a->end() - address};
}

std::string Warp::text_at(const Split& split, std::uint64_t address, int lane) {
  const std::span<std::byte> bytes = bytes_at(split, address, lane);
  const char* text = reinterpret_cast<const char*>(bytes.data());
  return bytes.empty() ? "(null)" : std::string(text, strnlen(text, bytes.size()));
}

void Warp::external_call(Split& split, const ir::Function& callee, const ir::CallSite& site) {
  const std::size_t area = split.frame->code->function->area_bytes;
  const auto argument = [&](std::size_t k, int lane) {
    std::uint64_t value = 0;
    const ir::CallSite::Range& r = site.arguments[k];
    std::memcpy(&value, split.frame->area + static_cast<std::size_t>(lane) * area + r.caller_offset,
                std::min<std::size_t>(r.bytes, sizeof value));
    return value;
  };
  const auto give_back = [&](int lane, std::uint64_t value) {
    for (const ir::CallSite::Range& r : site.results)
      std::memcpy(split.frame->area + static_cast<std::size_t>(lane) * area + r.caller_offset,
                  &value, std::min<std::size_t>(r.bytes, sizeof value));
  };
  memory::DeviceMemory& memory = *worker_.machine.memory;

  for (Mask left = split.lanes; left && !worker_.stopping; left &= left - 1) {
    const int l = first_lane(left);
    if (callee.name == "vprintf") {
      const std::string format = text_at(split, argument(0, l), l);
      const std::span<std::byte> values = bytes_at(split, argument(1, l), l);
      int count = 0;
      const std::string text = format_printf(
          format, values, [&](std::uint64_t address) { return text_at(split, address, l); }, count);
      if (worker_.machine.print) worker_.machine.print(text);
      give_back(l, static_cast<std::uint64_t>(count));
    } else if (callee.name == "malloc") {
      const std::uint64_t bytes = argument(0, l);
      const memory::Allocation* a = nullptr;
      if (bytes != 0 && worker_.heap_used + bytes <= worker_.machine.heap_bytes)
        a = memory.allocate(bytes, memory::Kind::heap, {}, {}, worker_.machine.device);
      if (a) worker_.heap_used += bytes;
      give_back(l, a ? a->begin : 0);
    } else if (callee.name == "free") {
      const std::uint64_t address = argument(0, l);
      if (address == 0) continue;
      const memory::Allocation* a = memory.find(address);
      if (a && a->begin == address && a->kind == memory::Kind::heap) {
        worker_.heap_used -= a->bytes;
        memory.release(address);
        continue;
      }
      Fault fault{where(split),
                  FaultKind::invalid_free,
                  ptx::Space::global,
                  AccessKind::store,
                  Mask{1} << l,
                  0,
                  {}};
      fault.address[static_cast<std::size_t>(l)] = address;
      worker_.fail(Status::illegal_address);
      for (Observer* o : worker_.watch.faults) o->faulted(fault);
    } else if (callee.name == "__assertfail") {
      const Dim3 b = block_.coordinates(), shape = worker_.launch.block;
      const std::uint32_t t = index_ * lanes + static_cast<std::uint32_t>(l);
      const std::string condition = text_at(split, argument(0, l), l);
      char line[512];
      std::snprintf(line, sizeof line,
                    "%s:%" PRIu64
                    ": %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
                    "failed.\n",
                    text_at(split, argument(1, l), l).c_str(), argument(2, l) & 0xffffffff,
                    text_at(split, argument(3, l), l).c_str(), b.x, b.y, b.z, t % shape.x,
                    t / shape.x % shape.y, t / shape.x / shape.y, condition.c_str());
      if (worker_.machine.complain) worker_.machine.complain(line);
      // The other lanes of the warp that fail print too; then the kernel stops.
      if ((left & (left - 1)) == 0)
        worker_.stop(Status::assertion, Stop{Stop::Kind::assertion, where(split), condition, {}});
    } else {
      worker_.stop(
          Status::unsupported,
          Stop{Stop::Kind::unsupported, where(split), "the device function " + callee.name, {}});
    }
  }
}

}  // namespace sim::exec
