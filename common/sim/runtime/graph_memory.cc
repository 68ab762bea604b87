#include "sim/runtime/graph_memory.h"

#include <algorithm>

namespace sim::runtime {

namespace {

constexpr std::uint64_t chunk = 32 << 20;  // space comes from the device in such pieces
std::uint64_t in_chunks(std::uint64_t bytes) { return (bytes + chunk - 1) / chunk * chunk; }

}  // namespace

void GraphMemory::launched(int device, std::uint32_t stream, std::uint64_t bytes,
                           const std::vector<memory::Address>& kept) {
  if (bytes > 0) {
    std::uint64_t& room = by_stream_[{device, stream}];
    room = std::max(room, in_chunks(bytes));
  }
  for (const memory::Address begin : kept) {
    known_.at(begin).taken = true;
    outlasting_[begin] = in_chunks(known_.at(begin).bytes);
  }
  most_[device] = std::max(most_[device], space(device));
}

void GraphMemory::given_back(memory::Address begin) {
  if (const auto it = known_.find(begin); it != known_.end()) it->second.taken = false;
}

void GraphMemory::trim(int device) {
  std::erase_if(by_stream_, [&](const auto& entry) { return entry.first.first == device; });
  std::erase_if(outlasting_, [&](const auto& piece) {
    return known_.at(piece.first).device == device && !is_taken(piece.first);
  });
}

std::uint64_t GraphMemory::space(int device) const {
  std::uint64_t sum = 0;
  for (const auto& [where, bytes] : by_stream_)
    if (where.first == device) sum += bytes;
  for (const auto& [begin, bytes] : outlasting_)
    if (known_.at(begin).device == device) sum += bytes;
  return sum;
}

void GraphMemory::forget(int device) {
  std::erase_if(by_stream_, [&](const auto& entry) { return entry.first.first == device; });
  std::erase_if(outlasting_,
                [&](const auto& piece) { return known_.at(piece.first).device == device; });
  std::erase_if(known_, [&](const auto& entry) { return entry.second.device == device; });
  most_.erase(device);
}

}  // namespace sim::runtime
