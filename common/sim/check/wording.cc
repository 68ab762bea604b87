#include "sim/check/wording.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace sim::check {

using exec::AccessKind;
using exec::FaultKind;

namespace {

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string signed_number(std::int64_t number) {
  return number < 0 ? "-" + grouped(static_cast<std::uint64_t>(-number))
                    : grouped(static_cast<std::uint64_t>(number));
}

// "reads 4 bytes", "updates 4 bytes atomically".
std::string does(AccessKind access, std::uint32_t bytes) {
  switch (access) {
    case AccessKind::load: return "reads " + counted(bytes, "byte");
    case AccessKind::store: return "writes " + counted(bytes, "byte");
    case AccessKind::atomic:
    case AccessKind::reduction: return "updates " + counted(bytes, "byte") + " atomically";
  }
  return "";
}

std::string coordinates(const Coordinates& c, const exec::Dim3& of) {
  if (of.y == 1 && of.z == 1) return std::to_string(c.x);
  std::string text = "(" + std::to_string(c.x) + "," + std::to_string(c.y);
  if (of.z != 1) text += "," + std::to_string(c.z);
  return text + ")";
}

Coordinates split(std::uint64_t number, const exec::Dim3& shape) {
  return {static_cast<std::uint32_t>(number % shape.x),
          static_cast<std::uint32_t>(number / shape.x % shape.y),
          static_cast<std::uint32_t>(number / shape.x / shape.y)};
}

Kind kind_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::use_after_free: return Kind::use_after_free;
    case FaultKind::misaligned: return Kind::misaligned;
    default: return Kind::out_of_bounds;
  }
}

// What a real GPU does with it.
std::string consequence(AccessKind access) {
  return std::string("A real GPU may ") +
         (access == AccessKind::load ? "read whatever lies there"
                                     : "overwrite whatever lies there") +
         ", or end with cudaErrorIllegalAddress. ";
}

}  // namespace

std::string brief(const SourceLine& line) {
  const std::size_t slash = line.file.rfind('/');
  return (slash == std::string::npos ? line.file : line.file.substr(slash + 1)) + ":" +
         std::to_string(line.line);
}

std::string declared_name(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && text ? text : symbol;
  std::free(text);
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::string counted(std::uint64_t number, const char* noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

// ---- Who and where ----

Coordinates Wording::block(std::uint64_t number) const { return split(number, info_.grid); }
Coordinates Wording::thread(std::uint32_t number) const { return split(number, info_.block); }

std::string Wording::who(std::uint64_t block_number, std::uint32_t thread_number) const {
  return "Thread " + coordinates(thread(thread_number), info_.block) + " of block " +
         coordinates(block(block_number), info_.grid);
}

std::string Wording::who(const exec::Where& where) const {
  const int lane = where.active ? exec::first_lane(where.active) : 0;
  return who(where.block, where.warp * exec::lanes + static_cast<std::uint32_t>(lane));
}

void Wording::place(Finding& finding, const ir::Function* function, std::int32_t pc,
                    const std::vector<const ir::Instruction*>& calls) const {
  if (!function) return;
  std::vector<SourceLine> chain =
      source_.chain(function->code[static_cast<std::size_t>(pc)].location);
  for (auto call = calls.rbegin(); call != calls.rend(); ++call)
    for (SourceLine& line : source_.chain((*call)->location)) chain.push_back(std::move(line));
  if (chain.empty()) return;
  finding.where = chain.front();
  finding.inlined_into.assign(chain.begin() + 1, chain.end());
}

// "the 132-byte array allocated at starter.cu:20", "the __constant__ variable `filter` (36 bytes)".
std::string Wording::name(const AllocationNote& note) const {
  if (!note.name.empty())
    return "the " + note.kind + " `" + declared_name(note.name) + "` (" +
           counted(note.bytes, "byte") + ")";
  std::string text = "the " + grouped(note.bytes) + "-byte array";
  if (note.made.line > 0)
    text += " allocated at " + brief(note.made);
  else if (note.kind != "cudaMalloc")
    text += " (" + note.kind + ")";
  return text;
}

// ---- Refused accesses ----

Finding Wording::of(const Mistake& m) const {
  Finding f;
  f.kind = kind_of(m.kind);
  f.launch = info_.serial;
  f.block = block(m.block);
  f.thread = thread(m.thread);
  f.address = m.address;
  f.access = m.access == AccessKind::load ? "read" : "write";
  f.bytes = m.bytes;
  f.occurrences = m.occurrences;
  place(f, m.function, m.pc, m.calls);
  if (m.allocation) f.allocation = describe(*m.allocation, resolve_);

  const std::string subject = who(m.block, m.thread);
  const std::string action = subject + " " + does(m.access, m.bytes);
  switch (m.kind) {
    case FaultKind::out_of_bounds: out_of_bounds(f, m); break;
    case FaultKind::use_after_free: {
      f.message =
          action + " of " + (f.allocation ? name(*f.allocation) : "an array") +
          ", which was freed" +
          (f.allocation && f.allocation->freed.line > 0 ? " at " + brief(f.allocation->freed)
                                                        : std::string()) +
          ".";
      f.advice =
          "Once given back, the memory may hold anything, and soon belongs to another array. "
          "Free it after the last kernel that uses it has finished, and forget the pointer "
          "then.";
      break;
    }
    case FaultKind::misaligned: {
      const std::uint64_t rest = m.address % m.bytes;
      f.message = action + " at address " + hex(m.address) + ", which is " + counted(rest, "byte") +
                  " past a multiple of " + std::to_string(m.bytes) + ".";
      f.advice = "An access of " + counted(m.bytes, "byte") +
                 " needs an address that is a multiple of " + std::to_string(m.bytes) +
                 "; a real GPU stops with cudaErrorMisalignedAddress. ";
      f.advice +=
          m.space == ptx::Space::shared
              ? "Align the shared array with __align__, round up the offset of what is carved "
                "out of a dynamic one, and look at the index."
          : m.bytes >= 8 ? "cudaMalloc aligns the array itself, so look at what is added to its "
                           "pointer before it is cast to the wider type."
                         : "Look at where the pointer was cast from bytes to a wider type.";
      break;
    }
    case FaultKind::host_pointer:
      f.message = action + " at " + hex(m.address) + ", which is memory of the host.";
      f.advice =
          "The GPU cannot reach what new, malloc, std::vector or a local variable made. Copy "
          "the data to memory from cudaMalloc and give the kernel that pointer.";
      break;
    case FaultKind::peer_memory: peer_memory(f, m); break;
    case FaultKind::null_pointer:
      f.message =
          action + (m.address == 0 ? " through a null pointer."
                                   : " at address " + hex(m.address) + ", " +
                                         counted(m.address, "byte") + " beyond a null pointer.");
      f.advice =
          "The pointer was never set, or cudaMalloc failed and its error was not looked at. "
          "Check what every call returns, and what the launch passes to the kernel.";
      break;
    case FaultKind::read_only:
      f.message = action + " of " + (f.allocation ? name(*f.allocation) : "constant memory") + ".";
      f.advice =
          "Kernels can only read constant memory. Set it from the host with "
          "cudaMemcpyToSymbol, or use a __device__ variable.";
      break;
    case FaultKind::invalid_free:
      f.message =
          subject + " frees " + hex(m.address) + ", which malloc did not return in a kernel.";
      f.advice =
          "free() in a kernel takes exactly what malloc() in a kernel returned, once. Memory "
          "from cudaMalloc is freed by the host with cudaFree.";
      break;
  }
  return f;
}

void Wording::peer_memory(Finding& f, const Mistake& m) const {
  const std::string here = std::to_string(info_.device);
  const std::string there = m.allocation ? std::to_string(m.allocation->device) : "another";
  f.message = who(m.block, m.thread) + " " + does(m.access, m.bytes) + " of " +
              (f.allocation ? name(*f.allocation) : "an array") + ", which is memory of device " +
              there + "; the kernel runs on device " + here + ", which may not touch it.";
  if (m.allocation && m.allocation->of_pool)
    f.advice =
        "Memory of a pool is open to another device once cudaMemPoolSetAccess says so; "
        "enabling peers does not do it.";
  else
    f.advice = "If this is meant, let device " + here + " reach its peer first: cudaSetDevice(" +
               here + "), then cudaDeviceEnablePeerAccess(" + there + ", 0).";
  f.advice +=
      " If not, look at which device was current (cudaSetDevice) when the array was "
      "allocated and when the kernel was launched; a launch into a stream runs on the "
      "stream's device.";
}

void Wording::out_of_bounds(Finding& f, const Mistake& m) const {
  const std::string action = who(m.block, m.thread) + " " + does(m.access, m.bytes);
  if (m.space == ptx::Space::shared) {
    const std::uint64_t total = std::uint64_t{info_.static_shared} + info_.dynamic_shared;
    AllocationNote note;
    note.kind = "shared memory";
    note.bytes = total;
    std::string arrays;
    for (const ir::SharedVariable& v : m.function->shared_variables) {
      if (v.bytes == 0) continue;
      arrays += (arrays.empty() ? "" : ", ") + std::string("`") + declared_name(v.name) + "` of " +
                counted(v.bytes, "byte");
      note.name = declared_name(v.name);  // the last one is the one that was left
    }
    const auto offset = static_cast<std::int64_t>(static_cast<std::int32_t>(m.address));
    f.message = action + " at byte " + signed_number(offset) +
                " of the block's shared memory, which has " + counted(total, "byte") +
                (arrays.empty() ? "" : " (" + arrays + ")") + ".";
    f.advice =
        total == 0
            ? "The launch asked for no shared memory: a dynamic array (extern __shared__) gets "
              "its bytes from the third launch argument, kernel<<<grid, block, bytes>>>."
        : info_.dynamic_shared != 0
            ? "A dynamic array has the bytes that the third launch argument says, for the whole "
              "block: compare it with the largest index."
            : "Compare the index with the array's size: halo cells and the last threads of a "
              "block are the usual places.";
    f.allocation = note;
    return;
  }
  if (m.space == ptx::Space::local) {
    f.message = action + " outside an array of its own (local memory, byte " +
                signed_number(static_cast<std::int64_t>(static_cast<std::int32_t>(m.address))) +
                ").";
    f.advice = "The index of an array declared in the kernel runs over its size: compare the two.";
    return;
  }
  if (m.allocation) return outside_array(f, m, action);
  f.message = action + " at " + hex(m.address) + ", where no array lies.";
  f.advice = consequence(m.access) +
             "The pointer or its index is far off: an uninitialised pointer, an index that wrapped "
             "below zero, or an int product that overflowed.";
}

void Wording::outside_array(Finding& f, const Mistake& m, const std::string& action) const {
  const memory::Allocation& a = *m.allocation;
  const std::string array = name(*f.allocation);
  const auto offset = static_cast<std::int64_t>(m.address - a.begin);
  const auto size = static_cast<std::int64_t>(m.bytes);
  const bool whole = m.bytes != 0 && a.bytes % m.bytes == 0 && offset % size == 0;
  const std::uint64_t count = whole ? a.bytes / m.bytes : 0;
  const std::int64_t index = whole ? offset / size : 0;
  const auto end = static_cast<std::int64_t>(a.bytes);

  if (offset < 0) {
    f.message = action + ", " + counted(static_cast<std::uint64_t>(-offset), "byte") +
                " before the beginning of " + array;
  } else if (offset < end) {
    f.message = action + " at the end of " + array + ", of which the last " +
                counted(static_cast<std::uint64_t>(offset + size - end), "byte") + " lie beyond it";
  } else if (offset == end) {
    f.message = action + " just past the end of " + array;
  } else {
    f.message = action + ", " + counted(static_cast<std::uint64_t>(offset - end), "byte") +
                " past the end of " + array;
  }
  if (count > 0) {
    f.message += ": element " + signed_number(index) + ", where the " +
                 (count == 1 ? std::string("only element is 0")
                             : grouped(count) + " elements are 0 to " + grouped(count - 1));
  }
  f.message += ".";
  f.advice = consequence(m.access) + why_outside(m, index, count);
}

// The likely cause, from how the index relates to the thread's own numbers.
std::string Wording::why_outside(const Mistake& m, std::int64_t index, std::uint64_t count) const {
  if (m.address < m.allocation->begin)
    return "A negative index is mostly an i - 1 at the first element, or an unsigned difference "
           "that wrapped.";
  const std::uint64_t threads = info_.grid.count() * info_.block.count();
  const bool flat =
      info_.grid.y == 1 && info_.grid.z == 1 && info_.block.y == 1 && info_.block.z == 1;
  const std::uint64_t global_thread = m.block * info_.block.count() + m.thread;
  if (count > 0 && flat && static_cast<std::uint64_t>(index) == global_thread) {
    // Far more threads than elements, and as many elements wanted as the array has bytes.
    if (m.bytes > 1 && threads >= m.allocation->bytes && m.allocation->kind == memory::Kind::device)
      return "cudaMalloc counts bytes: was the number of elements multiplied by the size of one? "
             "If it was, compare the thread's index with the number of elements.";
    return "Blocks come whole, so " + counted(threads, "thread") + " run for " +
           counted(count, "element") +
           ": compare the thread's index with the number of elements before touching memory.";
  }
  if (m.allocation->kind == memory::Kind::pitched)
    return "The pitch counts bytes, and it is the distance from row to row: (T*)((char*)base + y * "
           "pitch) is row y. Compare row and column, each with its own limit.";
  if (!flat)
    return "Blocks come whole, so threads at the edges of the grid run too: compare row and "
           "column, each with its own limit, before touching memory.";
  if (count > 0 && static_cast<std::uint64_t>(index) == count)
    return "One past the end is mostly a <= where < is meant, or an i + 1 at the last element.";
  return "Compare the index with the number of elements before touching memory, and look at how it "
         "is computed.";
}

}  // namespace sim::check
