// What has happened before what: the knowledge that threads gain when they synchronise.
//
// Every block has a clock that ticks at each synchronisation, and an access carries its thread and
// the time on its block's clock. A thread's *view* tells, for every other thread, up to which time
// that thread's accesses have happened before the viewer's next one. A barrier gives all who wait
// there the view of all who came; an atomic or a flag behind a fence hands a view from one thread
// to another. An access that is not in the view of a later one is unordered with it: which of them
// comes first is up to the hardware, whatever order they had in this run.
//
// A flag without a fence hands on less. A thread that has read something and then raises the flag
// has its value already: one that saw the flag cannot spoil it by a *write*. So a view also tells
// up to which time the *reads* of others are over. What they wrote is not part of that: it may
// still be on its way.
//
// Views are never changed once they are made, so that many threads and messages share one. A view
// of other blocks is a tree with 32 branches at each node; joining two trees stops where they are
// the same.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/exec/shape.h"

namespace sim::check {

using Time = std::uint32_t;

// A counted pointer for one host thread.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* p) : p_(p) { take(); }
  Ref(const Ref& other) : p_(other.p_) { take(); }
  Ref(Ref&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(p_, other.p_);
    return *this;
  }
  ~Ref() {
    if (p_ && --p_->references == 0) delete p_;
  }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  T* get() const { return p_; }
  explicit operator bool() const { return p_ != nullptr; }
  bool operator==(const Ref& other) const { return p_ == other.p_; }

 private:
  void take() const {
    if (p_) ++p_->references;
  }
  T* p_ = nullptr;
};

// The threads of one block: all of them up to `all`, those of some warps up to later times.
struct BlockTimes {
  struct WarpTimes {
    std::uint32_t warp;
    std::array<Time, exec::lanes> lane;
  };
  Time all = 0;
  std::vector<WarpTimes> warps;  // in ascending order

  Time of(std::uint32_t warp, int lane) const {
    for (const WarpTimes& w : warps)
      if (w.warp == warp) return std::max(all, w.lane[static_cast<std::size_t>(lane)]);
    return all;
  }
  bool mentions(std::uint32_t warp) const {
    for (const WarpTimes& w : warps)
      if (w.warp == warp) return true;
    return false;
  }
  std::array<Time, exec::lanes>& lanes_of(std::uint32_t warp);
  void join(const BlockTimes& other);
  void prune();  // drops what `all` says already
};

// Other blocks' threads: a node of the tree, or a leaf with the times of 32 blocks.
struct Blocks {
  std::uint32_t references = 0;
  std::array<Ref<Blocks>, 32> child;
  struct Leaf {
    std::uint32_t references = 0;
    BlockTimes times;
  };
  std::array<Ref<Leaf>, 32> leaf;
};

class BlockTree {
 public:
  bool empty() const { return !root_; }
  const BlockTimes* find(std::uint64_t block) const;
  void add(std::uint64_t block, const BlockTimes& times);
  void join(const BlockTree& other);
  bool operator==(const BlockTree& other) const { return root_ == other.root_; }

 private:
  Ref<Blocks> root_;
  int levels_ = 0;  // below the root
};

struct View {
  std::uint32_t references = 0;
  BlockTimes own;    // the threads of the viewer's own block
  BlockTree others;  // may hold the own block, too; that is not looked at
  BlockTree reads;   // of all blocks, the own one as well: reads that are over, beyond the above

  void join(const View& other) {
    own.join(other.own);
    others.join(other.others);
    reads.join(other.reads);
  }
};

}  // namespace sim::check
