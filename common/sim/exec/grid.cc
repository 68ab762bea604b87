// A grid: blocks are resident as occupancy allows, run in order, and make progress together.
//
// A block runs until it finishes or until all its warps only spin on memory; then the next resident
// block has its turn. So blocks that wait for each other (a grid barrier, a look-back chain) finish
// if they fit on the device together, and kernels that do not communicate run block after block.
#include "sim/exec/grid.h"

#include <algorithm>
#include <deque>

#include "sim/exec/block.h"
#include "sim/exec/worker.h"

namespace sim::exec {

std::byte* Pool::take(std::size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  std::byte* memory = nullptr;
  for (Free& f : free_)
    if (f.bytes == bytes && !f.blocks.empty()) {
      memory = f.blocks.back();
      f.blocks.pop_back();
    }
  if (!memory) {
    memory = static_cast<std::byte*>(::operator new[](std::max<std::size_t>(bytes, 64), std::align_val_t{64}));
    owned_.emplace_back(memory);
  }
  std::fill_n(memory, bytes, std::byte{0});
  return memory;
}

void Pool::give(std::byte* memory, std::size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  for (Free& f : free_)
    if (f.bytes == bytes) return f.blocks.push_back(memory);
  free_.push_back({bytes, {memory}});
}

void Worker::stop(Status s, const Stop& event) {
  if (stopping) return;
  stopping = true;
  fail(s);
  for (Observer* o : watch.stops) o->stopped(event);
}

namespace {

// Runs blocks [first, end) as resident blocks of one worker.
void run_blocks(Worker& worker, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t room = std::max<std::uint64_t>(
      1, std::uint64_t{worker.machine.sms} * worker.machine.resident_blocks_per_sm);
  std::deque<std::unique_ptr<Block>> resident;
  std::uint64_t next = first;
  while ((next < end || !resident.empty()) && !worker.stopping) {
    // A block that spins may wait for one that has not started: start blocks before turning back.
    std::unique_ptr<Block> block;
    if (next < end && resident.size() < room) {
      block = std::make_unique<Block>(worker, next++);
    } else {
      block = std::move(resident.front());
      resident.pop_front();
    }
    const Block::Result result = block->run();
    if (result == Block::Result::finished)
      worker.budget_left = static_cast<std::int64_t>(worker.budget);
    else if (result == Block::Result::polling)
      resident.push_back(std::move(block));
  }
}

}  // namespace

Status execute(const Launch& launch, const Machine& machine, std::span<Observer* const> observers,
               const Options& options) {
  Program& program = *launch.program;
  program.prepare(launch.function);
  LaunchInfo info;
  info.serial = launch.serial;
  info.module = &program.module();
  info.kernel = &program.module().functions[static_cast<std::size_t>(launch.function)];
  info.grid = launch.grid;
  info.block = launch.block;
  info.static_shared = info.kernel->shared_bytes;
  info.dynamic_shared = launch.dynamic_shared;
  info.stream = launch.stream;
  info.memory = machine.memory;
  for (Observer* o : observers) o->launch_begins(info);
  Worker worker(launch, info, machine, observers, options.budget);
  run_blocks(worker, 0, launch.grid.count());
  for (Observer* o : observers) o->launch_ends(info);
  return worker.status;
}

}  // namespace sim::exec
