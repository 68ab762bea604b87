// A named array on the device, for as long as the object lives.
//
// An input is copied in. An output is poisoned: filled with bytes that no right answer has, so that
// an element nobody wrote is recognised. Where the device does not check every access itself, guard
// zones lie before and after the elements; they are looked at when the buffer ends, and a case in
// which one was written to fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lab/poison.h"

namespace lab {

// The bytes under a Buffer; also the list by which an address in a finding gets its name back.
class RawBuffer {
 public:
  RawBuffer(std::string name, std::size_t size, std::size_t element_bytes, const char* element_name,
            unsigned char poison);
  RawBuffer(RawBuffer&& other) noexcept;
  RawBuffer(const RawBuffer&) = delete;
  RawBuffer& operator=(const RawBuffer&) = delete;
  RawBuffer& operator=(RawBuffer&&) = delete;
  ~RawBuffer();

  void* data() const { return elements_; }
  std::size_t bytes() const { return bytes_; }
  const std::string& name() const { return name_; }
  void copy_in(const void* host);
  void copy_out(void* host) const;

 private:
  void look_at_guards() const;

  std::string name_;
  std::size_t bytes_ = 0, guard_ = 0;
  unsigned char poison_ = 0;
  unsigned char* base_ = nullptr;
  unsigned char* elements_ = nullptr;
};

// "y[33]; y has 33 elements of 4 bytes (float)", if a buffer of the current case explains the
// address.
std::string explain_address(std::uint64_t address);
// What the guard zones of the buffers that ended saw; empty if nothing.
std::string guard_damage();
void forget_buffers();  // a new case begins

template <class T>
const char* element_name() {
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
  if constexpr (std::is_same_v<T, int>) return "int";
  if constexpr (std::is_same_v<T, unsigned>) return "unsigned";
  if constexpr (sizeof(T) == 1) return "byte";
  return "";
}

template <class T>
class Buffer {
 public:
  // An output: n poisoned elements.
  Buffer(std::string name, std::size_t n)
      : raw_(std::move(name), n, sizeof(T), element_name<T>(), poison_byte<T>), size_(n) {}
  // An input, or an array that is updated in place.
  Buffer(std::string name, const std::vector<T>& host) : Buffer(std::move(name), host.size()) {
    raw_.copy_in(host.data());
  }

  T* get() const { return static_cast<T*>(raw_.data()); }
  std::size_t size() const { return size_; }

  // The elements as they are now, after all work of the device.
  std::vector<T> read() const {
    std::vector<T> host(size_);
    raw_.copy_out(host.data());
    return host;
  }

 private:
  RawBuffer raw_;
  std::size_t size_;
};

}  // namespace lab
