// What is said of kernels that were stopped: assertions, traps, loops and waits without end.
#include <algorithm>
#include <vector>

#include "sim/check/wording.h"

namespace sim::check {

using exec::Stop;

namespace {

// The innermost loop around an instruction; nullptr when there is none.
const ir::Loop* loop_around(const exec::Where& at) {
  const ir::Loop* found = nullptr;
  if (at.function)
    for (const ir::Loop& l : at.function->loops)
      if (at.pc >= l.first && at.pc <= l.last) found = &l;
  return found;
}

// The read of memory for which a spinning lane waits; the lane's own instruction when the loop has
// none.
std::int32_t polled_access(const exec::Where& at) {
  const ir::Loop* loop = loop_around(at);
  if (!loop) return at.pc;
  for (std::int32_t pc = loop->first; pc <= loop->last; ++pc) {
    const ir::Instruction& i = at.function->code[static_cast<std::size_t>(pc)];
    if (i.opcode == ptx::Opcode::atom ||
        (i.opcode == ptx::Opcode::ld && i.modifiers.semantics != ptx::Semantics::none))
      return pc;
  }
  return at.pc;
}

// " (64 of 128 arrivals are missing)"
std::string missing_text(const exec::Waiting& w) {
  if (w.counted == 0) return "";
  if (w.missing == 0 && w.missing_bytes != 0)
    return " (" + counted(w.missing_bytes, "announced byte") + " did not come)";
  return " (" + std::to_string(w.missing) + " of " + counted(w.counted, "arrival") +
         (w.missing == 1 ? " is" : " are") + " missing)";
}

// Cooperative groups trap where a grid synchronises in a launch that is not cooperative.
bool in_cooperative_groups(const ir::Module& module, const exec::Where& at) {
  const std::int32_t location = at.function->code[static_cast<std::size_t>(at.pc)].location;
  if (location < 0) return false;
  const std::int32_t file = module.locations[static_cast<std::size_t>(location)].file;
  return file >= 0 && module.files[static_cast<std::size_t>(file)].find("/cooperative_groups") !=
                          std::string::npos;
}

}  // namespace

Finding Wording::of(const Stop& stop,
                    const std::vector<std::vector<const ir::Instruction*>>& calls) const {
  Finding f;
  const bool endless = stop.kind == Stop::Kind::deadlock || stop.kind == Stop::Kind::runaway;
  const exec::Where& at = stop.where;
  // Lanes of one warp that each wait for the others at another exchange: a matter of masks.
  const bool in_warp =
      !stop.waiting.empty() && std::ranges::all_of(stop.waiting, [&](const exec::Waiting& w) {
        return w.why == std::string_view("the other lanes of its warp") &&
               w.where.warp == at.warp && w.where.block == at.block;
      });
  f.kind = in_warp ? Kind::barrier_divergence : endless ? Kind::deadlock : Kind::launch_error;
  f.launch = info_.serial;
  if (at.function) {
    f.block = block(at.block);
    const int lane = at.active ? exec::first_lane(at.active) : 0;
    f.thread = thread(at.warp * exec::lanes + static_cast<std::uint32_t>(lane));
    const bool spins =
        stop.kind == Stop::Kind::deadlock && !stop.waiting.empty() && stop.waiting.front().spins;
    place(f, at.function, spins ? polled_access(at) : at.pc, calls.front());
  }
  const std::string subject = who(at);
  switch (stop.kind) {
    case Stop::Kind::assertion:
      f.message = subject + " failed the assertion `" + stop.text + "`.";
      f.advice =
          "The kernel ends here, and every later call returns cudaErrorAssert. Look at the "
          "values that the condition compares, for this thread.";
      break;
    case Stop::Kind::trap:
      f.message = subject + " executed a trap, which ends the kernel.";
      if (in_cooperative_groups(*info_.module, at)) {
        f.message = subject + " calls sync() on a grid that may not wait for itself.";
        f.advice =
            "The blocks of an ordinary launch need not all run at the same time, so they must not "
            "wait for each other. Launch with cudaLaunchCooperativeKernel, which checks that they "
            "fit; or end the kernel here and go on in a second one.";
        break;
      }
      f.advice =
          "A trap is __trap(), or a place that the compiler proved unreachable: the end of a "
          "function without a return, for example.";
      break;
    case Stop::Kind::stack_overflow:
      f.message = subject + " calls deeper than its stack of " + stop.text + " bytes allows.";
      f.advice =
          "Recursion that does not end is the usual cause. If it is meant to be deep, raise "
          "cudaLimitStackSize with cudaDeviceSetLimit.";
      break;
    case Stop::Kind::wild_call:
      f.message = subject + " calls a function through a pointer that holds no function's address.";
      f.advice =
          "A pointer to a function is good on the side that took it: take its address in a kernel, "
          "or copy it from a __device__ variable. The same holds for the virtual functions of an "
          "object: make the object on the device.";
      break;
    case Stop::Kind::unsupported:
      f.message = subject + " needs " + stop.text + ", which the simulated GPU does not have.";
      f.advice = "The kernel was stopped rather than run wrongly.";
      break;
    case Stop::Kind::runaway: {
      const ir::Loop* loop = loop_around(at);
      std::string place_of_loop;
      if (loop) {
        const SourceLine line =
            source_.line(at.function->code[static_cast<std::size_t>(loop->header)].location);
        if (line.line > 0) {
          place_of_loop = " in the loop at " + brief(line);
          f.inlined_into.insert(f.inlined_into.begin(), f.where);
          f.where = line;
          std::erase(f.inlined_into, line);
        }
      }
      f.message = "The kernel does not end: after " + stop.text + " in which no block finished, " +
                  "thread" + subject.substr(6) + " is still" +
                  (place_of_loop.empty() ? " running" : place_of_loop) + ".";
      f.advice =
          loop && loop->polls
              ? "The loop waits for memory that another thread should change. Does that "
                "thread run at all, does it write to the same place, and is every lock that "
                "is taken given back?"
              : "Does the loop's condition become false for this thread? Look at what changes "
                "in each turn, at a step of zero, and at unsigned counters that count down "
                "past zero.";
      break;
    }
    case Stop::Kind::deadlock: {
      f.message = "The kernel cannot go on: ";
      // One side for each place and reason; the message names the first two.
      std::vector<const exec::Waiting*> inits;
      for (std::size_t i = 0; i < stop.waiting.size(); ++i) {
        const exec::Waiting& w = stop.waiting[i];
        Finding there;
        place(there, w.where.function, w.spins ? polled_access(w.where) : w.where.pc, calls[i + 1]);
        const int lane = w.where.active ? exec::first_lane(w.where.active) : 0;
        const std::string waits = std::string("waits for ") + w.why;
        const Side side{waits + missing_text(w), there.where, block(w.where.block),
                        thread(w.where.warp * exec::lanes + static_cast<std::uint32_t>(lane))};
        const bool known = std::ranges::any_of(f.sides, [&](const Side& s) {
          return s.what.starts_with(waits) && s.where == side.where;
        });
        if (known) continue;
        if (w.made_in) inits.push_back(&w);
        if (f.sides.size() < 2)
          f.message += std::string(f.sides.empty() ? "t" : ", and t") + who(w.where).substr(1) +
                       " " + side.what +
                       (side.where.line > 0 ? " at " + brief(side.where) : std::string());
        f.sides.push_back(side);
      }
      if (f.sides.empty()) f.message += "all its threads wait for each other";
      f.message += ".";
      for (const exec::Waiting* w : inits) {
        Finding init;
        place(init, w->made_in, w->made_at, {});
        f.sides.push_back({"initialised for " + counted(w->counted, "arrival"),
                           init.where,
                           block(w->where.block),
                           {}});
      }
      const bool at_mbarrier = std::ranges::any_of(
          f.sides, [](const Side& s) { return s.what.find("mbarrier") != std::string::npos; });
      if (at_mbarrier) {
        f.advice =
            "A phase of an mbarrier (cuda::barrier, cuda::pipeline) ends when as many threads have "
            "arrived as it was initialised for, and when all announced bytes have. Does every "
            "thread that is counted arrive, once in each phase, and does each wait name the phase "
            "that it means?";
      } else if (stop.resident != 0) {
        f.message += " Of the grid's " + counted(stop.blocks, "block") + " only " +
                     std::to_string(stop.resident) + " fit on the device at once" +
                     info_.limited_by + ", so the others never start.";
        f.advice =
            "Blocks that wait for each other must all be resident. Launch no more of them than "
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor times the multiprocessors, or use a "
            "cooperative launch, which refuses a grid that does not fit.";
      } else if (f.sides.size() == 1 && !stop.waiting.empty() && stop.waiting.front().spins) {
        f.advice =
            "The loop waits for memory that another thread should change, and no thread that is "
            "left will. Does that thread run at all, does it write to the same place, and is every "
            "lock that is taken given back?";
      } else {
        f.advice =
            "Each waits for something that only the others can bring. A barrier needs every thread "
            "that it counts, and a lock must be given back before its owner waits for those who "
            "want it: look for a wait inside an if or a loop that some threads leave early.";
      }
      break;
    }
  }
  return f;
}

}  // namespace sim::check
