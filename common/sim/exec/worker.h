// One host thread's part of a launch: what its warps share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/exec/footprint.h"
#include "sim/exec/grid.h"
#include "sim/exec/schedule.h"

namespace sim::exec {

// The observers, by what they asked for, so that an event costs nothing when nobody listens.
struct Watchers {
  std::vector<Observer*> runs, guards, branches, accesses, faults, barriers, warp_syncs, fences,
      blocks, stops, asyncs, exits, steps, texels, texel_faults;

  bool following() const {
    for (const Observer* o : steps)
      if (o->follows) return true;
    return false;
  }

  explicit Watchers(std::span<Observer* const> observers) {
    const std::array<std::pair<std::uint32_t, std::vector<Observer*>*>, 15> lists{
        {{Observer::runs, &runs},
         {Observer::guards, &guards},
         {Observer::branches, &branches},
         {Observer::accesses, &accesses},
         {Observer::faults, &faults},
         {Observer::barriers, &barriers},
         {Observer::warp_syncs, &warp_syncs},
         {Observer::fences, &fences},
         {Observer::blocks, &blocks},
         {Observer::stops, &stops},
         {Observer::asyncs, &asyncs},
         {Observer::exits, &exits},
         {Observer::steps, &steps},
         {Observer::texels, &texels},
         {Observer::texel_faults, &texel_faults}}};
    for (Observer* o : observers)
      for (const auto& [interest, list] : lists)
        if (o->interests() & interest) list->push_back(o);
  }
};

// The last shape of one memory instruction (see shape.h), with what was derived from it.
struct Site {
  Shape shape;
  // Lane differences as the address register holds them, and all ones for the lanes of
  // shape.active: 32-bit addresses use the first 128 bytes of each.
  alignas(64) std::array<std::uint64_t, lanes> delta{};
  alignas(64) std::array<std::uint64_t, lanes> keep{};
  std::uint8_t address_bytes = 0;
  const memory::Allocation* allocation = nullptr;
  std::uint64_t epoch = 0;
};

// Memory for register files and the like, aligned to a cache line and used again when given back.
class Pool {
 public:
  std::byte* take(std::size_t bytes);  // zeroed
  void give(std::byte* memory, std::size_t bytes);

 private:
  struct Free {
    std::size_t bytes;
    std::vector<std::byte*> blocks;
  };
  std::vector<Free> free_;
  struct Deleter {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::vector<std::unique_ptr<std::byte[], Deleter>> owned_;
};

class Worker {
 public:
  Worker(const Launch& of, const LaunchInfo& about, const Machine& on,
         std::span<Observer* const> observers, const Options& options)
      : launch(of),
        info(about),
        machine(on),
        program(*of.program),
        watch(observers),
        schedule(options.schedule),
        rehearses(options.rehearses),
        budget(options.budget),
        budget_left(static_cast<std::int64_t>(options.budget)),
        sites_(static_cast<std::size_t>(program.sites())) {}

  const Launch& launch;
  const LaunchInfo& info;
  const Machine& machine;
  Program& program;
  Watchers watch;
  Pool pool;
  const Schedule schedule;

  const bool rehearses;
  const std::uint64_t budget;
  std::int64_t budget_left;           // warp instructions until the kernel counts as runaway
  std::uint64_t clock = 0;            // warp instructions so far: what %clock reads
  std::uint64_t heap_used = 0;        // bytes of device-side malloc
  Status status = Status::completed;  // the first thing that went wrong
  bool stopping = false;              // nothing runs any further
  Footprint* footprint = nullptr;     // of a worker that runs blocks on trial

  Site& site(std::int32_t number) {
    std::unique_ptr<Site>& s = sites_[static_cast<std::size_t>(number)];
    if (!s) s = std::make_unique<Site>();
    return *s;
  }
  std::uint64_t next_serial() { return ++serial_; }

  // Nothing that a spinning lane could wait for has happened since: in instructions.
  std::uint64_t quiet = 0;
  void something_changed() { quiet = 0; }

  void fail(Status s) {
    if (status == Status::completed) status = s;
  }
  void stop(Status s, const Stop& event);
  // `resident`: blocks that run together while others could not start; 0 when all have.
  void deadlocked(std::vector<Waiting> waiting, std::uint64_t resident);

 private:
  std::vector<std::unique_ptr<Site>> sites_;
  std::uint64_t serial_ = 0;
};

}  // namespace sim::exec
