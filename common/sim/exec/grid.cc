// A grid: blocks are resident as occupancy allows, run in order, and make progress together.
//
// A block runs until it finishes or until all its warps only spin on memory; then the next resident
// block has its turn. So blocks that wait for each other (a grid barrier, a look-back chain) finish
// if they fit on the device together, and kernels that do not communicate run block after block.
#include "sim/exec/grid.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

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
    memory = static_cast<std::byte*>(
        ::operator new[](std::max<std::size_t>(bytes, 64), std::align_val_t{64}));
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

// The stop is where a lane spins, if one does: the others mostly wait for that one.
void Worker::deadlocked(std::vector<Waiting> waiting, std::uint64_t resident) {
  Stop event{Stop::Kind::deadlock, {},       {},
             std::move(waiting),   resident, resident ? launch.grid.count() : 0};
  const auto spinning =
      std::ranges::find_if(event.waiting, [](const Waiting& w) { return w.spins; });
  if (spinning != event.waiting.end()) std::rotate(event.waiting.begin(), spinning, spinning + 1);
  if (!event.waiting.empty()) event.where = event.waiting.front().where;
  stop(Status::stopped, event);
}

namespace {

// So long a spin, in warp instructions, of all that run together, with nothing written, counts as
// one that nobody can end. Loops that give up by themselves are shorter.
constexpr std::uint64_t hopeless = std::uint64_t{1} << 22;
constexpr std::size_t blocks_described = 64;

constexpr std::uint64_t longest_rehearsal = std::uint64_t{1} << 22;  // in warp instructions

std::uint64_t room_for_blocks(const Machine& machine) {
  return std::max<std::uint64_t>(1, std::uint64_t{machine.sms} * machine.resident_blocks_per_sm);
}

// Gives out blocks, to one worker or to several: in order, or shuffled among as many as are
// resident together. Each worker takes some neighbours at once: they use the same pages, and what
// is noted of a page is then noted by one worker.
class Queue {
 public:
  Queue(std::uint64_t count, std::uint64_t room, const Schedule& schedule, unsigned workers)
      : count_(count),
        room_(room),
        neighbours_(std::clamp<std::uint64_t>(count / (8 * workers), 1, 64)),
        schedule_(schedule) {}
  // Blocks that a worker has taken and not started.
  struct Stretch {
    std::uint64_t next = 0, end = 0;
  };
  // The next block's number; `count` when there is none left.
  std::uint64_t take(Stretch& mine) {
    if (mine.next == mine.end) {
      mine.next = next_.fetch_add(neighbours_, std::memory_order_relaxed);
      mine.end = mine.next + neighbours_;
    }
    const std::uint64_t number = mine.next++;
    if (number >= count_) return count_;
    if (!schedule_.shuffles()) return number;
    const std::uint64_t first = number - number % room_;
    const Shuffled order(std::min(room_, count_ - first), schedule_.random(first, 0));
    return first + order[number - first];
  }
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_, room_, neighbours_;
  const Schedule schedule_;
  std::atomic<std::uint64_t> next_{0};
};

void run_blocks(Worker& worker, Queue& queue) {
  const std::uint64_t room = room_for_blocks(worker.machine);
  std::deque<std::unique_ptr<Block>> resident;
  Queue::Stretch mine;
  bool more = true;
  while (!worker.stopping) {
    // A block that spins may wait for one that has not started: start blocks before turning back.
    std::unique_ptr<Block> block;
    if (more && resident.size() < room) {
      const std::uint64_t number = queue.take(mine);
      more = number < queue.count();
      if (more) {
        block = std::make_unique<Block>(worker, number);
        worker.something_changed();
      }
    }
    if (!block) {
      if (resident.empty()) break;
      block = std::move(resident.front());
      resident.pop_front();
    }
    if (worker.rehearses && worker.clock > longest_rehearsal) break;
    const Block::Result result = block->run();
    if (result == Block::Result::finished)
      worker.budget_left = static_cast<std::int64_t>(worker.budget);
    else if (result == Block::Result::polling || result == Block::Result::paused)
      resident.push_back(std::move(block));
    if (worker.quiet > hopeless && !worker.stopping) {
      std::vector<Waiting> waiting;
      for (std::size_t k = 0; k < std::min(resident.size(), blocks_described); ++k)
        resident[k]->describe_waiting(waiting);
      worker.deadlocked(std::move(waiting), more ? resident.size() : 0);
    }
  }
}

// The functions that a kernel can reach by calls, itself first; `any`: it may call others, too,
// through pointers.
std::vector<const ir::Function*> reachable(const Program& program, int kernel, bool& any) {
  const ir::Module& module = program.module();
  std::vector<int> work{kernel};
  std::vector<bool> seen(module.functions.size(), false);
  std::vector<const ir::Function*> found;
  any = false;
  while (!work.empty()) {
    const auto at = static_cast<std::size_t>(work.back());
    work.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    found.push_back(&module.functions[at]);
    for (const ir::Instruction& i : module.functions[at].code) {
      if (i.opcode != ptx::Opcode::call) continue;
      if (i.callee < 0)
        any = true;
      else
        work.push_back(i.callee);
    }
  }
  return found;
}

// Whether blocks of this kernel could notice each other in other ways than by plain loads and
// stores, whose footprints are checked: then they are not run side by side.
bool may_communicate(const Program& program, int kernel) {
  bool any = false;
  for (const ir::Function* f : reachable(program, kernel, any)) {
    if (f->is_external) return true;  // printf, malloc
    for (const ir::Loop& loop : f->loops)
      if (loop.polls) return true;
    for (const ir::Instruction& i : f->code) {
      switch (i.opcode) {
        case ptx::Opcode::atom:
        case ptx::Opcode::red:
          if (i.space != ptx::Space::shared) return true;
          break;
        case ptx::Opcode::sust:
        case ptx::Opcode::sured:
        case ptx::Opcode::fence:
        case ptx::Opcode::membar:
        case ptx::Opcode::nanosleep: return true;
        default: break;
      }
      for (const ir::Operand& o : i.sources)
        if (o.bank == ir::Bank::special &&
            (is_clock(o.offset) || o.offset == static_cast<std::uint32_t>(ir::Special::smid)))
          return true;
    }
  }
  return any;
}

LaunchInfo info_of(const Launch& launch, const Machine& machine) {
  const ir::Module& module = launch.program->module();
  LaunchInfo info;
  info.serial = launch.serial;
  info.module = &module;
  info.kernel = &module.functions[static_cast<std::size_t>(launch.function)];
  info.grid = launch.grid;
  info.block = launch.block;
  info.static_shared = info.kernel->shared_bytes;
  info.dynamic_shared = launch.dynamic_shared;
  info.stream = launch.stream;
  info.device = machine.device;
  info.memory = machine.memory;
  info.limited_by = machine.limited_by;
  return info;
}

// Runs the grid on several workers; false when the trial does not stand and memory is as before.
bool run_on_trial(const Launch& launch, const LaunchInfo& info, const Machine& machine,
                  std::span<Observer* const> observers, const Options& options) {
  Saved saved;
  Queue queue(launch.grid.count(), room_for_blocks(machine), Schedule(options.schedule),
              options.workers);
  struct Trial {
    std::vector<std::unique_ptr<Observer>> observers;
    std::unique_ptr<Footprint> footprint;
    std::unique_ptr<Worker> worker;
  };
  std::vector<Trial> trials(options.workers);
  for (Trial& t : trials) {
    std::vector<Observer*> list;
    for (Observer* o : observers) {
      t.observers.push_back(o->fork());
      list.push_back(t.observers.back().get());
      list.back()->launch_begins(info);
    }
    t.footprint = std::make_unique<Footprint>(saved);
    t.worker = std::make_unique<Worker>(launch, info, machine, list, options);
    t.worker->footprint = t.footprint.get();
  }
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 1; k < trials.size(); ++k)
      threads.emplace_back([&, k] { run_blocks(*trials[k].worker, queue); });
    run_blocks(*trials[0].worker, queue);
  }
  bool stands = true;
  for (std::size_t i = 0; i < trials.size() && stands; ++i) {
    stands = trials[i].worker->status == Status::completed;
    for (std::size_t k = i + 1; k < trials.size() && stands; ++k)
      stands = !trials[i].footprint->conflicts_with(*trials[k].footprint);
  }
  if (!stands) {
    saved.restore();
    return false;
  }
  for (Trial& t : trials)
    for (std::size_t k = 0; k < observers.size(); ++k) observers[k]->join(*t.observers[k]);
  return true;
}

}  // namespace

Status execute(const Launch& launch, const Machine& machine, std::span<Observer* const> observers,
               const Options& options) {
  Program& program = *launch.program;
  program.prepare(launch.function);
  const LaunchInfo info = info_of(launch, machine);

  for (Observer* o : observers) o->launch_begins(info);
  Status status = Status::completed;
  const bool several = options.workers > 1 && launch.grid.count() >= 2 * options.workers &&
                       !may_communicate(program, launch.function);
  if (!several || !run_on_trial(launch, info, machine, observers, options)) {
    Worker worker(launch, info, machine, observers, options);
    Queue queue(launch.grid.count(), room_for_blocks(machine), Schedule(options.schedule), 1);
    run_blocks(worker, queue);
    status = worker.status;
  }
  for (Observer* o : observers) o->launch_ends(info);
  return status;
}

bool wants_rehearsal(const Program& program, int kernel) {
  bool any = false, asks = false;
  for (const ir::Function* f : reachable(program, kernel, any)) {
    if (f->is_external && (f->name == "malloc" || f->name == "free")) return false;
    for (const ir::Instruction& i : f->code) {
      asks |= i.opcode == ptx::Opcode::activemask;
      if (i.opcode == ptx::Opcode::sust || i.opcode == ptx::Opcode::sured) return false;
    }
  }
  return asks && !any;
}

void rehearse(const Launch& launch, const Machine& machine, std::span<Observer* const> observers) {
  launch.program->prepare(launch.function);
  const LaunchInfo info = info_of(launch, machine);
  Machine silent = machine;
  silent.print = silent.complain = [](std::string_view) {};
  Options options;
  options.rehearses = true;
  Saved saved;
  Footprint footprint(saved);
  for (Observer* o : observers) o->launch_begins(info);
  Worker worker(launch, info, silent, observers, options);
  worker.footprint = &footprint;
  Queue queue(launch.grid.count(), room_for_blocks(silent), Schedule(0), 1);
  run_blocks(worker, queue);
  for (Observer* o : observers) o->launch_ends(info);
  saved.restore();
}

}  // namespace sim::exec
