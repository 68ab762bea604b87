// What racecheck knows of a running block: its clock, its threads' views, its shared memory.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sim/check/race_shadow.h"
#include "sim/check/racecheck.h"

namespace sim::check {

// What atomic or volatile writes to one place made known to those who read it: to the whole device,
// and what is of block scope only to the writer's own block. `reads` needs no fence (race_order.h).
struct Racecheck::Message {
  BlockTree to_device, reads;
  std::map<std::uint64_t, BlockTree> to_block;

  bool empty() const { return to_device.empty() && to_block.empty() && reads.empty(); }
  void join(const Message& other) {
    to_device.join(other.to_device);
    reads.join(other.reads);
    for (const auto& [block, known] : other.to_block) to_block[block].join(known);
  }
};

class Racecheck::Block {
 public:
  Block(std::uint64_t number, std::uint32_t threads, std::unique_ptr<SharedShadow> shadow);

  std::uint64_t number() const { return number_; }
  Time now() const { return clock_; }
  Time full() const { return full_; }
  SharedShadow* shadow() { return shadow_.get(); }
  std::unique_ptr<SharedShadow> take_shadow();

  Viewer viewer(std::uint32_t warp) const;
  void touched(std::uint32_t warp) { warps_[warp].touched = true; }

  // ---- Barriers ----
  void arrive(const exec::Barrier& barrier);
  void release(std::uint32_t id);
  void sync_warp(std::uint32_t warp, exec::Mask lanes);

  // ---- Messages ----
  void fence(std::uint32_t warp, exec::Mask lanes, bool block_scope);
  // When this lane last fenced for the whole device; 0 if it has not.
  Time fenced_at(std::uint32_t warp, int lane) const;
  // What a write of this lane makes known now. `releases`: by itself, without a fence.
  Message message(std::uint32_t warp, int lane, bool releases, bool block_scope);
  BlockTree reads_until_now(std::uint32_t warp, int lane) const;  // of the lane and what it saw
  // A reader of block scope hears of its own block only.
  void receive(std::uint32_t warp, exec::Mask lanes, const Message& message, const RaceSite& by);
  void tick() { ++clock_; }
  std::map<memory::Address, Message> messages;  // in shared memory

  // ---- Copies that complete later ----
  Time issue_copy(std::uint32_t warp, exec::Mask lanes);  // the time of its entries
  void commit_copies(std::uint32_t warp, exec::Mask lanes);
  void wait_for_copies(std::uint32_t warp, exec::Mask lanes, std::uint32_t pending);
  void finish_copies(std::uint32_t warp, exec::Mask lanes);  // all that were issued
  // The time of a copy's entries; nothing while it is under way.
  std::optional<Time> finished(Time of_entry) const;

 private:
  struct Fences {
    // By lane: the view at the lane's last fence, and when that was; [1]: of block scope or wider.
    // What other threads had fenced before a barrier is known to the whole device like their own.
    std::array<std::array<Ref<View>, exec::lanes>, 2> view;
    std::array<std::array<Time, exec::lanes>, 2> time{};
  };
  using Group = std::vector<std::pair<std::uint32_t, exec::Mask>>;  // lanes by warp
  struct Issued {
    std::size_t copy;
    exec::Mask lanes;
    std::array<std::uint32_t, exec::lanes> group;
  };
  struct WarpState {
    Ref<View> view;                                             // of all lanes, unless
    std::unique_ptr<std::array<Ref<View>, exec::lanes>> apart;  // they differ
    bool touched = true;  // memory, since the lanes of `synced` met
    exec::Mask synced = 0;
    std::unique_ptr<Fences> fences;
    std::vector<Issued> issued;
    std::array<std::uint32_t, exec::lanes> commits{};
  };
  struct Pending {
    Group coming, waiting;
    Ref<View> view;  // of all who came so far
    bool all_threads = true;
  };
  struct Copy {
    exec::Mask pending;
    Time time;
  };
  const Ref<View>& view(std::uint32_t warp, int lane) const;
  Ref<View> joined(std::uint32_t warp, exec::Mask lanes) const;
  void give(std::uint32_t warp, exec::Mask lanes, const Ref<View>& view);
  void pass_on_fences(const Group& from, const Group& to);
  void learn(std::uint32_t warp, exec::Mask lanes, const View& news);
  exec::Mask all_lanes(std::uint32_t warp) const;
  void finish(std::uint32_t warp, exec::Mask lanes, std::uint32_t pending, bool uncommitted);

  std::uint64_t number_;
  std::uint32_t threads_;
  Time clock_, full_;
  std::vector<WarpState> warps_;
  std::map<std::uint32_t, Pending> barriers_;
  bool fenced_ = false;  // a lane has, since fences were passed on last
  std::vector<Copy> copies_;
  std::unique_ptr<SharedShadow> shadow_;
};

// An access on its way through the checks.
struct Racecheck::Event {
  const exec::Access& access;
  Block& block;
  std::uint16_t number;  // of its site
  const RaceSite& site;
  bool shared;
  Touch touch{};  // without lane and bytes
  Viewer viewer;  // set where it is needed

  Event(const exec::Access& a, Block& b, std::uint16_t n, const RaceSite& s, bool is_shared)
      : access(a), block(b), number(n), site(s), shared(is_shared) {}
};

}  // namespace sim::check
