// A warp: 32 lanes that run together while they agree, and apart when they do not.
//
// Lanes that disagree at a branch become separate *splits*, each with its own pc. The branch opens
// a *convergence*: the instruction where they meet again (the immediate post-dominator) and the
// lanes expected there. A split that reaches it waits; when all expected lanes have come or exited,
// they go on as one. Since Volta diverged lanes all make progress, so waiting must never be a trap:
// in a loop that polls memory, the lanes that wait beyond it are let go after a while, and a
// split that spins gives way to the others (a per-thread spin lock finishes).
//
// Calls have frames: registers, parameters and local memory of one activation. Splits in the same
// activation share its frame, because their lanes differ.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/exec/async_copies.h"
#include "sim/exec/worker.h"

namespace sim::exec {

class Block;

struct Frame {
  Frame* caller = nullptr;
  const Program::Code* code = nullptr;
  std::byte* registers = nullptr;
  std::byte* constants = nullptr;  // the code's own, or a copy with local addresses placed
  std::byte* area = nullptr;       // parameters: lane l's bytes start at l * area_bytes
  std::uint32_t local_base = 0;    // where this activation's .local starts in a thread's memory
  std::uint32_t allocated = 0;     // bytes of alloca behind it
  std::uint32_t local_top() const { return local_base + code->function->local_bytes + allocated; }
  std::int32_t return_pc = 0;  // in the caller
  std::uint32_t recursion_bytes = 0;
  Mask lanes = 0;                             // that have not returned
  std::vector<const ir::Instruction*> calls;  // from the kernel to here
};

// Lanes that will meet at `pc` of `frame`.
struct Convergence {
  Frame* frame = nullptr;
  std::int32_t pc = 0;
  std::int32_t outer = -1;  // index of the next convergence these lanes belong to
  Mask expected = 0, arrived = 0;
};

struct Split {
  enum class State : std::uint8_t { ready, barrier, warp_barrier, exchange };
  Mask lanes = 0;
  std::int32_t pc = 0;
  Frame* frame = nullptr;
  std::int32_t convergence = -1;
  State state = State::ready;
  bool past_guard = false;    // the guard at pc was already applied: `lanes` are those it let pass
  std::uint32_t barrier = 0;  // State::barrier: which
  Mask members = 0;           // State::warp_barrier, exchange: the lanes the mask names
  Mask awaited = 0;           // those of them that had not left the kernel when this one came
  std::uint32_t polls = 0;
  std::int32_t mbarrier = -1;         // the last test of an mbarrier, when it failed: its pc
  const std::byte* tested = nullptr;  // which mbarrier
};

class Warp {
 public:
  Warp(Worker& worker, Block& block, std::uint32_t index, Mask lanes);
  ~Warp();
  Warp(const Warp&) = delete;
  Warp& operator=(const Warp&) = delete;

  enum class Result : std::uint8_t { finished, blocked, polling };
  // Until it exits, waits for a barrier, or spins; with a shuffled schedule it may stop before.
  Result run();

  Mask live() const { return live_; }
  std::uint32_t index() const { return index_; }
  bool finished() const { return live_ == 0; }

  // For the block's barriers: the splits that wait at barrier `id` go on. `reduced` is given to
  // bar.red's destination.
  void release(std::uint32_t id, std::uint32_t popc, bool all, bool any);
  // Lanes that wait to reconverge are let go, so that others they wait for may be reached; false
  // when there were none.
  bool abandon_convergence();
  void describe_waiting(std::vector<Waiting>& list) const;
  Where where(const Split& split) const;
  bool spins_at_mbarrier() const;
  bool spins_on_memory() const;
  AsyncCopies& copies() { return copies_; }

  std::byte* local(int lane) {
    return local_.data() + static_cast<std::size_t>(lane) * local_stride_;
  }

 private:
  friend class MemoryUnit;

  int next_ready();
  bool only_spins(std::uint64_t instructions);
  void straight(Split& split, std::int32_t end);
  void count_run(const Split& split, std::int32_t first, std::int32_t last);
  void tell_step(const Split& split, const Step& step, const Registers& registers, Mask mask) const;
  void tick(std::uint64_t instructions, const Split& split);

  // Each does the control instruction at the split's pc; the index is into splits_.
  void control(int split);
  void branch(int split);
  void jump_table(int split);
  void diverge(int split, Mask taken, std::int32_t target, std::int32_t next, std::int32_t meet);
  void call(int split);
  void external_call(Split& split, const ir::Function& callee, const ir::CallSite& site);
  std::span<std::byte> bytes_at(const Split& split, std::uint64_t address, int lane);
  std::string text_at(const Split& split, std::uint64_t address, int lane);
  void ret(int split);
  void exit(int split);
  void note_ways_out(const Split& split, Mask taken, std::int32_t target);
  void tell_exits(const Split& split) const;
  void barrier(int split);
  void exchange(int split);
  void active_mask(int split);
  void resolve_exchanges();
  void give_way(int split);
  bool split_by_guard(int split);

  void converge(int split);               // the split reached its convergence
  void settle(std::int32_t convergence);  // resumes it when all expected lanes are there
  void forget_lanes(std::int32_t convergence, Mask lanes);
  std::int32_t open(Frame* frame, std::int32_t pc, Mask lanes, std::int32_t outer);
  void remove(int split);

  Registers registers(const Frame& frame) const;
  Frame* enter(const Program::Code& code, Frame* caller, std::int32_t return_pc, Mask lanes);
  void leave(Frame* frame, Mask lanes);
  void reserve_local(std::uint32_t bytes);
  void stack(Frame& frame, const Registers& registers, const Step& step, Mask mask);
  void fill_specials();
  void fill_clock(const Step& step);

  Worker& worker_;
  Block& block_;
  std::uint32_t index_;
  Mask live_;
  std::vector<Split> splits_;  // the last ready one runs next
  std::vector<Convergence> convergences_;
  std::vector<std::int32_t> free_convergences_;
  std::byte* specials_ = nullptr;
  std::vector<std::byte> local_;  // lane-major; grows with the call depth
  std::uint32_t local_stride_ = 0;
  AsyncCopies copies_;
  // Of each lane that jumped to the kernel's end: where from. The end of a kernel is shared by all
  // its returns.
  std::array<std::int32_t, lanes> jumped_out_from_;
  std::uint64_t random_turns_ = 0;  // with a shuffled schedule
  bool polled_ = false;             // since its turn began
  bool has_diverged_ = false;       // ever
  // Instructions since it last polled, in turns that a shuffled schedule cut short.
  std::uint64_t since_poll_ = ~std::uint64_t{0};
  bool polling_ = false;  // set when every split that could run is spinning
};

}  // namespace sim::exec
