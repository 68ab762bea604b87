// Races: two accesses to the same bytes, at least one a write, that nothing orders.
//
// The verdict rests on what the program orders, never on the order of this run. Barriers, named
// barriers, __syncwarp, shuffles and votes order the threads that take part. A fence followed by an
// atomic or volatile write is a message to whoever then reads that place by an atomic or volatile
// access: all that came before the fence comes before whatever the reader does next; a fence or an
// atomic of block scope speaks to its own block only. mbarriers and acquire and release accesses
// likewise. Without a fence, an atomic or volatile write still tells those who wait for it that its
// writer's earlier reads are over: they may write there. That is for flags, read by plain loads in
// a function that polls; who comes first at an atomic operation is chance. The lanes of a warp are
// ordered by nothing else: since Volta they need not run in step.
//
// Atomic and volatile accesses do not race with each other, a plain load does not race with an
// atomic when it is but the guess of a compare-and-swap, and two stores of the same value are left
// alone: whichever comes last, the result is the same. But volatile accesses to shared memory that
// no loop polls are not flags: those are of code that counts on lanes in step, and they do race. A
// cp.async writes at any time until its thread has waited for it.
//
// A flag that is awaited must have a value before anybody asks for it. Where the launch itself
// gives it the first one, a block that comes early finds what the memory held before.
//
// Some reads go through a cache that is not told of the launch's own writes: those of textures and
// surfaces, and those of memory of which the program says that nobody changes it (ld.nc). Such a
// read is stale where the launch has written, even when the write is ordered before it.
//
// Each worker watches its own blocks. Blocks of two workers that touch the same word, one of them
// writing, are run again by one worker (exec/footprint.h); so its findings are complete.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sim/check/finding.h"
#include "sim/check/memcheck.h"
#include "sim/check/race_shadow.h"
#include "sim/exec/observer.h"

namespace sim::check {

// An instruction that accesses memory, in one of the ways that it does so.
struct RaceSite {
  const ir::Function* function = nullptr;
  std::int32_t pc = 0;
  exec::AccessKind kind{};
  bool asynchronous = false, strong = false, block_scope = false, lockstep = false;
  bool guesses = false;     // reads what a compare-and-swap will verify
  bool awaits = false;      // a flag: reads it, in a function that polls
  bool announces = false;   // writes what may be one
  bool incoherent = false;  // reads through a cache that the launch's writes do not reach
  std::uint32_t bytes = 0;
  std::vector<const ir::Instruction*> calls;  // from the kernel to `function`

  bool writes() const { return kind != exec::AccessKind::load; }
};

// Two instructions that race: the first pair of threads that did, and at how many places.
struct Race {
  struct End {
    RaceSite site;
    std::uint64_t block = 0;
    std::uint32_t thread = 0;  // in the block
  };
  ptx::Space space{};
  End first, second;  // a write first
  memory::Address address = 0;
  const memory::Allocation* allocation = nullptr;
  std::uint64_t places = 0;      // different words
  bool one_instruction = false;  // two lanes of one store
  bool not_waited = false;       // a copy that its thread has not waited for
  bool unset = false;            // no race: a flag is awaited that nobody set before the launch
  bool stale = false;            // no race: the write comes first, and the read may not see it
  bool between_warps = false;    // some of the pairs are of two warps of a block
  bool between_blocks = false;   // and some of two blocks
};

class Racecheck final : public exec::Observer {
 public:
  explicit Racecheck(Resolve resolve);
  ~Racecheck() override;

  std::uint32_t interests() const override {
    return accesses | barriers | warp_syncs | fences | blocks | asyncs | texels;
  }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Racecheck>(resolve_); }
  void join(Observer& other) override;

  void launch_begins(const exec::LaunchInfo& info) override;
  void block_begins(std::uint64_t block) override;
  void block_ends(std::uint64_t block) override;
  void accessed(const exec::Access& access) override;
  void touched(const exec::TexelAccess& access) override;
  void arrived(const exec::Barrier& barrier) override;
  void released(std::uint64_t block, std::uint32_t id) override;
  void synced(const exec::WarpSync& sync) override;
  void fenced(const exec::Where& where, ptx::Scope scope) override;
  void grouped(const exec::AsyncGroup& group) override;

  std::vector<Finding> findings() const;
  // Whether a value that was read in a race decided which way threads went.
  bool steers() const;

 private:
  class Block;
  struct Message;  // what was released at an address
  struct Event;    // an access on its way through the checks
  enum class Verdict : std::uint8_t { race, one_instruction, unset, stale };

  Block& block(std::uint64_t number);
  std::uint16_t number_of(const RaceSite& site);
  std::uint16_t site_of(const exec::Access& access);
  void check(const exec::Access& access);
  void receive(const Event& event);
  void send(const Event& event);
  void note_first_values(const Event& event);
  void look_for_unset_flags(const Event& event);
  bool check_at_once(const Event& event);
  void check_one_by_one(const Event& event);
  void check_word(const Event& event, memory::Address word, const Touch& now);
  std::optional<std::byte> stored(const Event& event, int lane, memory::Address address) const;
  bool differ_in_value(const Event& event, int a, int b, memory::Address word,
                       unsigned bytes) const;
  bool writes_what_is_there(const Event& event, const Touch& old, const Touch& now,
                            memory::Address word) const;
  void report(const Event& event, const Touch& old, const Touch& now, int byte,
              memory::Address word, Verdict verdict = Verdict::race);
  void add(Race race, std::pair<std::uint64_t, memory::Address> word);

  Resolve resolve_;
  exec::LaunchInfo info_;
  bool has_polls_ = false;  // somebody may wait for a flag
  bool draws_ = false;      // somebody may write a CUDA array
  std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;
  Block* last_block_ = nullptr;
  std::vector<std::unique_ptr<SharedShadow>> idle_shadows_;
  GlobalShadow global_;
  std::map<memory::Address, Message> messages_;  // in global memory
  // Atomic and volatile stores that gave a place in global memory the first value it ever had.
  std::map<memory::Address, Touch> first_values_;

  std::vector<RaceSite> sites_;
  struct SitesOf {
    const ir::Function* function;
    std::vector<std::uint16_t> load, store;  // of each pc; 0: none yet
    std::vector<bool> guesses;               // of each pc
  };
  std::vector<SitesOf> sites_of_;
  std::array<Footing, 128> footings_;  // by shape

  // By the numbers of the two instructions, races apart from stale reads; the words (capped) tell
  // how many places they are.
  struct Found {
    Race race;
    std::set<std::pair<std::uint64_t, memory::Address>> words;
  };
  std::map<std::tuple<std::uint16_t, std::uint16_t, bool>, Found> found_;
};

}  // namespace sim::check
