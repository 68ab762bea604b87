#include "sim/check/race_wording.h"

#include <algorithm>
#include <tuple>

#include "sim/check/source.h"
#include "sim/check/wording.h"

namespace sim::check {

using exec::AccessKind;

namespace {

bool makes_mbarrier(const RaceSite& s) {
  return s.function->code[static_cast<std::size_t>(s.pc)].opcode == ptx::Opcode::mbarrier_init;
}

bool is_atomic(const RaceSite& s) {
  return (s.kind == AccessKind::atomic || s.kind == AccessKind::reduction) && !makes_mbarrier(s);
}

// "writes", "reads", "updates atomically".
std::string does(const RaceSite& s) {
  if (s.asynchronous) return s.writes() ? "copies asynchronously to" : "copies asynchronously from";
  if (makes_mbarrier(s)) return "initialises";
  if (is_atomic(s)) return "atomically updates";
  return s.writes() ? "writes" : "reads";
}

std::string what(const RaceSite& s) {
  return (is_atomic(s) ? "atomic update of "
          : s.writes() ? "write of "
                       : "read of ") +
         counted(s.bytes, "byte");
}

class RaceWording {
 public:
  RaceWording(const exec::LaunchInfo& info, const Source& source, const Resolve& resolve)
      : info_(info), wording_(info, source, resolve), resolve_(resolve) {}

  SourceLine line(const Race::End& end) const { return placed(end).where; }

  Finding of(const Race& r) const {
    Finding f = placed(r.first);
    f.kind = r.space == ptx::Space::shared ? Kind::shared_race : Kind::global_race;
    f.launch = info_.serial;
    f.block = wording_.block(r.first.block);
    f.thread = wording_.thread(r.first.thread);
    f.address = r.address;
    f.access = r.first.site.writes() ? "write" : "read";
    f.bytes = r.first.site.bytes;
    f.occurrences = r.places;
    for (const Race::End* end : {&r.first, &r.second})
      f.sides.push_back(
          {what(end->site), line(*end), wording_.block(end->block), wording_.thread(end->thread)});
    const std::string place = r.space == ptx::Space::shared ? in_shared(f, r) : in_global(f, r);
    f.message = sentence(r, place);
    f.advice = advice(r);
    return f;
  }

 private:
  Finding placed(const Race::End& end) const {
    Finding f;
    wording_.place(f, end.site.function, end.site.pc, end.site.calls);
    return f;
  }

  // "`tile` (element 5)": which array, and which of its elements, counted in the access's size.
  std::string in_shared(Finding& f, const Race& r) const {
    AllocationNote note;
    note.kind = "shared array";
    std::uint64_t offset = r.address;
    for (const ir::SharedVariable& v : info_.kernel->shared_variables) {
      const bool dynamic = v.bytes == 0;  // the last: it takes what is left
      if (r.address < v.offset || (!dynamic && r.address >= v.offset + v.bytes)) continue;
      note.name = declared_name(v.name);
      note.bytes =
          dynamic ? info_.static_shared + info_.dynamic_shared - v.offset : std::uint64_t{v.bytes};
      offset = r.address - v.offset;
    }
    f.allocation = note;
    const std::string array = note.name.empty() ? "shared memory" : "shared `" + note.name + "`";
    return array + element(offset, note.bytes, r);
  }

  std::string in_global(Finding& f, const Race& r) const {
    if (!r.allocation) return "global memory";
    f.allocation = describe(*r.allocation, resolve_);
    return wording_.name(*f.allocation) +
           element(r.address - r.allocation->begin, r.allocation->bytes, r);
  }

  static std::string element(std::uint64_t offset, std::uint64_t bytes, const Race& r) {
    const std::uint64_t size = std::min(r.first.site.bytes, r.second.site.bytes);
    if (size == 0 || bytes <= size) return "";
    return " (element " + std::to_string(offset / size) + ")";
  }

  std::string at(const Race::End& end) const {
    const SourceLine l = line(end);
    return l.line > 0 ? " at " + brief(l) : "";
  }

  std::string sentence(const Race& r, const std::string& place) const {
    const std::string one = wording_.who(r.first.block, r.first.thread);
    std::string other = wording_.who(r.second.block, r.second.thread);
    other[0] = 't';
    if (r.first.block == r.second.block) other = other.substr(0, other.find(" of block"));
    if (r.one_instruction)
      return one + " and " + other + " write different values to " + place + " in one instruction" +
             at(r.first) + ".";
    if (r.not_waited)
      return one + " " + does(r.first.site) + " " + place + at(r.first) + " and " +
             (r.second.site.writes() ? "writes" : "reads") + " it" + at(r.second) +
             " before it has waited for the copy.";
    const bool alike = r.first.site.writes() == r.second.site.writes() &&
                       is_atomic(r.first.site) == is_atomic(r.second.site) &&
                       !r.first.site.asynchronous && !r.second.site.asynchronous;
    std::string text =
        one + " " + does(r.first.site) + " " + place + at(r.first) + ", and " + other;
    if (alike)
      text += " does, too" + (line(r.second).line == line(r.first).line ? "" : "," + at(r.second));
    else
      text += " " + does(r.second.site) + " it" + at(r.second);
    return text + ", with nothing that says which comes first.";
  }

  std::string advice(const Race& r) const {
    const RaceSite &a = r.first.site, &b = r.second.site;
    if (r.one_instruction)
      return "Which of the values stays is up to the hardware. Give each thread a place of its "
             "own, "
             "let one thread write, or combine the values with an atomic.";
    if (r.not_waited)
      return "The copy may happen at any time until the thread waits for its group (cp.async.wait, "
             "cuda::pipeline's consumer_wait, cg::wait): wait first, then __syncthreads() for what "
             "the other threads copied.";
    if (r.first.block != r.second.block) return between_blocks(a, b);
    const bool same_warp = r.first.thread / exec::lanes == r.second.thread / exec::lanes;
    if (a.asynchronous || b.asynchronous)
      return "A thread's wait completes its own copies only. Other threads see them after a "
             "__syncthreads() that follows the wait, and may overwrite them after another one.";
    if (makes_mbarrier(a) || makes_mbarrier(b))
      return "A barrier object can be used once its init() is over, and only the thread that calls "
             "it knows when that is. Put a __syncthreads() between init() and the first arrival.";
    if (is_atomic(a) != is_atomic(b))
      return "An atomic is indivisible only beside other atomics; a plain access may come before, "
             "between or after them. Put a __syncthreads() between the phases, or make both "
             "atomic.";
    if (same_warp && r.between_warps)
      return "The same happens between threads of different warps, so a __syncwarp() is not "
             "enough: "
             "put a __syncthreads() that all threads reach between the two; in a loop, both before "
             "the data is read and before the next turn overwrites it.";
    if (a.lockstep && b.lockstep && same_warp)
      return "volatile makes each access happen, but since Volta the lanes of a warp need not run "
             "in "
             "step. Put a __syncwarp() between one step's reads and the next one's writes, or use "
             "shuffles.";
    if (same_warp)
      return "Since Volta the lanes of a warp need not run in step, so the result may change with "
             "the compiler and the card. Put a __syncwarp() between the two accesses, and another "
             "before the place is used again; or exchange the values with shuffles.";
    return "The warps of a block run in any order, so this may work today and fail tomorrow. Put a "
           "__syncthreads() that all threads reach between the two; in a loop, both before the "
           "data "
           "is read and before the next turn overwrites it.";
  }

  static std::string between_blocks(const RaceSite& a, const RaceSite& b) {
    const std::string blocks =
        "Blocks run in any order and side by side, and __syncthreads() does not reach beyond its "
        "own. ";
    if (a.strong && b.strong)
      return "An operation of block scope is atomic only among the threads of its block. Use the "
             "device scope (atomicAdd instead of atomicAdd_block, thread_scope_device).";
    if (is_atomic(a) != is_atomic(b) && a.writes() && b.writes())
      return blocks +
             "Set the starting value before the launch (cudaMemset), or in a kernel before this "
             "one.";
    if (a.writes() && b.writes())
      return blocks +
             "Let each block write a place of its own, or combine the values with an atomic.";
    return blocks +
           "Read in a second kernel what the first one wrote. Within one kernel the writer needs "
           "__threadfence() between the data and an atomic or volatile flag (and __syncthreads() "
           "before it when other threads of the block wrote, too), and the reader must see that "
           "flag "
           "first.";
  }

  const exec::LaunchInfo& info_;
  Wording wording_;
  const Resolve& resolve_;
};

}  // namespace

std::vector<Finding> race_findings(std::vector<Race> races, const exec::LaunchInfo& info,
                                   const Resolve& resolve) {
  std::ranges::sort(races, [](const Race& a, const Race& b) {
    const auto key = [](const Race& r) {
      return std::tuple(r.first.block, r.first.thread, r.second.block, r.second.thread,
                        r.first.site.pc, r.second.site.pc, r.address);
    };
    return key(a) < key(b);
  });
  const Source source(*info.module);
  const RaceWording wording(info, source, resolve);
  // An unrolled loop makes many pairs of instructions of one pair of lines: gather them.
  std::vector<Finding> findings;
  std::vector<std::pair<SourceLine, SourceLine>> lines;
  std::vector<Race> gathered;
  for (const Race& r : races) {
    const SourceLine a = wording.line(r.first), b = wording.line(r.second);
    std::size_t i = 0;
    for (; i < gathered.size(); ++i) {
      const auto is = [](const SourceLine& x, const SourceLine& y) {
        return x.line == y.line && x.file == y.file;
      };
      const auto& [c, d] = lines[i];
      const bool same_lines = (is(a, c) && is(b, d)) || (is(a, d) && is(b, c));
      const bool known = a.line > 0 && b.line > 0;
      if (known && same_lines && gathered[i].space == r.space &&
          gathered[i].allocation == r.allocation)
        break;
    }
    if (i < gathered.size()) {
      gathered[i].places = std::max(gathered[i].places, r.places);
      gathered[i].between_warps |= r.between_warps;
    } else {
      gathered.push_back(r);
      lines.emplace_back(a, b);
    }
  }
  for (const Race& r : gathered) findings.push_back(wording.of(r));
  return findings;
}

}  // namespace sim::check
