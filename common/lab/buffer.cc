#include "lab/buffer.h"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "lab/check.h"
#include "profile/profile.h"

namespace lab {
namespace {

constexpr std::size_t guard_bytes = 256;  // keeps the elements aligned as cudaMalloc does

// What is kept of every buffer of the running case, also after it ended: a finding is read later.
struct Known {
  std::string name, element;
  std::uint64_t address;
  std::size_t size, element_bytes;
};
std::vector<Known> known;
std::string damage;

std::string elements_text(const Known& buffer) {
  return buffer.name + " has " + std::to_string(buffer.size) +
         (buffer.size == 1 ? " element" : " elements") + " of " +
         std::to_string(buffer.element_bytes) + (buffer.element_bytes == 1 ? " byte" : " bytes") +
         (buffer.element.empty() ? "" : " (" + buffer.element + ")");
}

}  // namespace

RawBuffer::RawBuffer(std::string name, std::size_t size, std::size_t element_bytes,
                     const char* element, unsigned char poison)
    : name_(std::move(name)),
      bytes_(size * element_bytes),
      guard_(profile::checks_memory() ? 0 : guard_bytes),
      poison_(poison) {
  void* memory = nullptr;
  LAB_CUDA(cudaMalloc(&memory, bytes_ + 2 * guard_));
  base_ = static_cast<unsigned char*>(memory);
  elements_ = base_ + guard_;
  if (bytes_ + guard_ > 0) LAB_CUDA(cudaMemset(base_, poison_, bytes_ + 2 * guard_));
  known.push_back(
      {name_, element, reinterpret_cast<std::uint64_t>(elements_), size, element_bytes});
}

RawBuffer::RawBuffer(RawBuffer&& other) noexcept
    : name_(std::move(other.name_)),
      bytes_(other.bytes_),
      guard_(other.guard_),
      poison_(other.poison_),
      base_(std::exchange(other.base_, nullptr)),
      elements_(std::exchange(other.elements_, nullptr)) {}

RawBuffer::~RawBuffer() {
  if (!base_) return;
  look_at_guards();
  cudaFree(base_);  // after a failed kernel this fails too, and the case already has
}

void RawBuffer::copy_in(const void* host) {
  if (bytes_ > 0) LAB_CUDA(cudaMemcpy(elements_, host, bytes_, cudaMemcpyHostToDevice));
}

void RawBuffer::copy_out(void* host) const {
  LAB_CUDA(cudaDeviceSynchronize());
  if (bytes_ > 0) LAB_CUDA(cudaMemcpy(host, elements_, bytes_, cudaMemcpyDeviceToHost));
}

void RawBuffer::look_at_guards() const {
  if (guard_ == 0 || !damage.empty()) return;
  std::vector<unsigned char> zone(guard_);
  for (bool after : {false, true}) {
    const unsigned char* begin = after ? elements_ + bytes_ : base_;
    if (cudaMemcpy(zone.data(), begin, guard_, cudaMemcpyDeviceToHost) != cudaSuccess) return;
    auto changed = std::find_if(zone.begin(), zone.end(),
                                [this](unsigned char byte) { return byte != poison_; });
    if (changed == zone.end()) continue;
    auto at = changed - zone.begin();
    damage = "a kernel wrote " +
             (after ? std::to_string(at) + " bytes past the end of "
                    : std::to_string(static_cast<long>(guard_) - at) + " bytes before ") +
             name_ + ", which has " + std::to_string(bytes_) +
             " bytes.\n  On the simulated GPU the same check names the line and the thread.";
    return;
  }
}

std::string explain_address(std::uint64_t address) {
  // The nearest buffer, within a page: far away the name would be a guess.
  constexpr std::uint64_t reach = 4096;
  const Known* nearest = nullptr;
  std::uint64_t least = reach;
  for (const Known& buffer : known) {
    std::uint64_t end = buffer.address + buffer.size * buffer.element_bytes;
    std::uint64_t distance = address < buffer.address ? buffer.address - address
                             : address >= end         ? address - end
                                                      : 0;
    if (buffer.address == 0 || distance >= least) continue;
    least = distance;
    nearest = &buffer;
  }
  if (!nearest) return "";
  auto bytes = static_cast<std::int64_t>(nearest->element_bytes);
  auto offset = static_cast<std::int64_t>(address - nearest->address);
  std::int64_t index = offset >= 0 ? offset / bytes : -((-offset + bytes - 1) / bytes);
  return nearest->name + "[" + std::to_string(index) + "]; " + elements_text(*nearest);
}

std::string guard_damage() { return damage; }

void forget_buffers() {
  known.clear();
  damage.clear();
}

}  // namespace lab
