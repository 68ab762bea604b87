#include "sim/check/race_wording.h"

#include <algorithm>
#include <cctype>
#include <iterator>
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

const ir::Instruction& instruction(const RaceSite& s) {
  return s.function->code[static_cast<std::size_t>(s.pc)];
}

bool same_register(const ir::Operand& a, const ir::Operand& b) {
  return a.present() && a.bank == b.bank && a.offset == b.offset;
}

bool same_place(const ir::Instruction& a, const ir::Instruction& b) {
  return a.space == b.space && same_register(a.address.base, b.address.base) &&
         a.address.displacement == b.address.displacement;
}

bool reads_register(const ir::Instruction& i, const ir::Operand& o) {
  return std::ranges::any_of(i.sources, [&](const ir::Operand& s) { return same_register(s, o); });
}

// A store of what was computed from the value that a load took from the same place: x += y.
bool updates(const ir::Instruction& load, const ir::Instruction& store,
             const std::vector<ir::Instruction>& code) {
  if (load.opcode != ptx::Opcode::ld || store.opcode != ptx::Opcode::st || load.results.empty() ||
      store.sources.empty() || !same_place(load, store))
    return false;
  return std::ranges::any_of(code, [&](const ir::Instruction& i) {
    return !i.results.empty() && i.opcode != ptx::Opcode::ld &&
           same_register(i.results[0], store.sources[0]) && reads_register(i, load.results[0]);
  });
}

// A plain load or store that is half of an update.
bool is_of_update(const RaceSite& s) {
  const ir::Instruction& own = instruction(s);
  return std::ranges::any_of(s.function->code, [&](const ir::Instruction& other) {
    return updates(own, other, s.function->code) || updates(other, own, s.function->code);
  });
}

// A lock is taken by one of these.
bool may_take_lock(const RaceSite& s) {
  const ptx::AtomicOp op = instruction(s).modifiers.atomic;
  return s.kind == AccessKind::atomic && (op == ptx::AtomicOp::cas || op == ptx::AtomicOp::exch);
}

enum class Path : std::uint8_t { read_only, texture, surface };

Path path_of(const RaceSite& s) {
  const ptx::Opcode o = instruction(s).opcode;
  if (o == ptx::Opcode::ld) return Path::read_only;
  return o == ptx::Opcode::suld ? Path::surface : Path::texture;
}

// What to do about a read that does not see what its own launch writes.
std::string seen_by_later_launches(Path path) {
  switch (path) {
    case Path::read_only:
      return "The compiler loads through that cache for __ldg and for pointers that are const and "
             "__restrict__, which promises that nobody changes the data while the kernel runs; no "
             "barrier and no fence brings it up to date. Make it a plain load, without __ldg or "
             "without __restrict__, or read in a second kernel.";
    case Path::texture:
      return "The texture cache is not told of what the running kernel writes, and no barrier and "
             "no fence brings it up to date. Keep the value in a register or shared memory, or "
             "fetch it in a second launch.";
    case Path::surface:
      return "Surfaces are read through the texture cache, which is not told of what the running "
             "kernel writes; no barrier and no fence brings it up to date. Keep the value in a "
             "register or shared memory, or read it in a second launch.";
  }
  return {};
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
    if (r.unset) return of_unset_flag(r);
    if (r.stale) return of_stale_read(r);
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

  Finding of_unset_flag(const Race& r) const {
    Finding f = of_second(r, Kind::uninitialised_read);
    const std::string place = in_global(f, r);
    std::string other = wording_.who(r.first.block, r.first.thread);
    other[0] = 't';
    f.message = wording_.who(r.second.block, r.second.thread) + " waits for a value in " + place +
                ", where nobody had written before the launch; it is chance that " + other +
                " came first" + at(r.first) + ".";
    f.advice =
        "Memory from cudaMalloc holds whatever was there before, perhaps just what is waited for. "
        "Clear flags and counters before the launch: cudaMemset.";
    return f;
  }

  Finding of_stale_read(const Race& r) const {
    Finding f = of_second(r, Kind::stale_read);
    for (const Race::End* end : {&r.first, &r.second})
      f.sides.push_back(
          {what(end->site), line(*end), wording_.block(end->block), wording_.thread(end->thread)});
    const Path path = path_of(r.second.site);
    const std::string place = in_global(f, r);
    std::string other = wording_.who(r.first.block, r.first.thread);
    other[0] = 't';
    if (r.first.block == r.second.block) other = other.substr(0, other.find(" of block"));
    if (r.first.block == r.second.block && r.first.thread == r.second.thread) other = "it";
    f.message = wording_.who(r.second.block, r.second.thread) + " reads " + place + " through " +
                (path == Path::read_only ? "the read-only cache"
                 : path == Path::texture ? "a texture"
                                         : "a surface") +
                ", after " + other + " wrote it" + at(r.first) +
                " in the same launch: it may get the old value.";
    f.advice = seen_by_later_launches(path);
    return f;
  }

 private:
  // Where the second access is.
  Finding of_second(const Race& r, Kind kind) const {
    Finding f = placed(r.second);
    f.kind = kind;
    f.launch = info_.serial;
    f.block = wording_.block(r.second.block);
    f.thread = wording_.thread(r.second.thread);
    f.address = r.address;
    f.access = "read";
    f.bytes = r.second.site.bytes;
    f.occurrences = r.places;
    return f;
  }

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
    if (r.allocation->kind == memory::Kind::array)  // in tiles
      return "a texel of " + wording_.name(*f.allocation);
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
             "own, let one thread write, or combine the values with an atomic.";
    if (r.not_waited)
      return "The copy may happen at any time until the thread waits for its group (cp.async.wait, "
             "cuda::pipeline's consumer_wait, cg::wait): wait first, then __syncthreads() for what "
             "the other threads copied.";
    const bool read_earlier = a.function == b.function && b.pc < a.pc;
    if (b.incoherent && !read_earlier)
      return "To order the two is not enough. " + seen_by_later_launches(path_of(b));
    const bool same_warp = r.first.thread / exec::lanes == r.second.thread / exec::lanes;
    const bool between_blocks = r.between_blocks || r.first.block != r.second.block;
    if (!a.asynchronous && !b.asynchronous && is_of_update(a) && is_of_update(b))
      return "An update such as x += y reads, computes and writes: of two threads that do so at "
             "once, one is lost. Use an atomic (atomicAdd and its like), or sum up in registers or "
             "shared memory first and let one thread write.";
    if (between_blocks) return of_blocks(a, b);
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
    const bool statement = a.writes() != b.writes() && line(r.first).line == line(r.second).line;
    if (same_warp && r.between_warps)
      return "The same happens between threads of different warps, so a __syncwarp() is not "
             "enough: " +
             barrier(statement);
    if (a.lockstep && b.lockstep && same_warp)
      return "volatile makes each access happen, but since Volta the lanes of a warp need not run "
             "in step. Put a __syncwarp() between one step's reads and the next one's writes, or "
             "use shuffles.";
    if (same_warp)
      return "Since Volta the lanes of a warp need not run in step, so the result may change with "
             "the compiler and the card. Put a __syncwarp() between the two accesses, and another "
             "before the place is used again; or exchange the values with shuffles.";
    return "The warps of a block run in any order, so this may work today and fail tomorrow. " +
           capital(barrier(statement));
  }

  static std::string barrier(bool statement) {
    return statement ? "read into a variable, put a __syncthreads() that all threads reach, then "
                       "write; and another one before the next turn reads."
                     : "put a __syncthreads() that all threads reach between the two; in a loop, "
                       "both before the data is read and before the next turn overwrites it.";
  }

  static std::string capital(std::string text) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
  }

  static std::string of_blocks(const RaceSite& a, const RaceSite& b) {
    const std::string blocks =
        "Blocks run in any order and side by side, and __syncthreads() does not reach beyond its "
        "own. ";
    if (a.strong && b.strong)
      return "An operation of block scope is atomic only among the threads of its block. Use the "
             "device scope (atomicAdd instead of atomicAdd_block, thread_scope_device).";
    if (is_atomic(a) != is_atomic(b) && a.writes() && b.writes())
      return may_take_lock(is_atomic(a) ? a : b)
                 ? "A lock is given back as it was taken: __threadfence(), so that all see what "
                   "was written under it, then atomicExch(lock, 0)."
                 : blocks +
                       "Set the starting value before the launch (cudaMemset), or in a kernel "
                       "before this one.";
    if (a.writes() && b.writes())
      return blocks +
             "Let each block write a place of its own, or combine the values with an atomic.";
    const bool in_place = a.function == b.function && b.pc < a.pc && !is_atomic(a) &&
                          a.kind == AccessKind::store && b.kind == AccessKind::load;
    if (in_place)
      return blocks +
             "A thread here may read what its neighbour has already replaced: write the results to "
             "a second array, and swap the two for the next launch.";
    return blocks +
           "Read in a second kernel what the first one wrote. Within one kernel the writer needs "
           "__threadfence() between the data and an atomic or volatile flag (and __syncthreads() "
           "before it when other threads of the block wrote, too), and the reader must see that "
           "flag first.";
  }

  const exec::LaunchInfo& info_;
  Wording wording_;
  const Resolve& resolve_;
};

// An unrolled loop makes many pairs of instructions of one pair of lines: gather them. Of stale
// reads, one for each line that reads.
std::vector<Race> gather(const std::vector<Race>& races, const RaceWording& wording) {
  std::vector<std::pair<SourceLine, SourceLine>> lines;
  std::vector<Race> gathered;
  for (const Race& r : races) {
    const SourceLine a = r.stale ? SourceLine{} : wording.line(r.first);
    const SourceLine b = wording.line(r.second);
    std::size_t i = 0;
    for (; i < gathered.size(); ++i) {
      const auto& [c, d] = lines[i];
      const bool same_lines = (a == c && b == d) || (a == d && b == c);
      const bool known = (r.stale || a.line > 0) && b.line > 0;
      if (known && same_lines && gathered[i].unset == r.unset && gathered[i].space == r.space &&
          gathered[i].allocation == r.allocation)
        break;
    }
    if (i < gathered.size()) {
      gathered[i].places = std::max(gathered[i].places, r.places);
      gathered[i].between_warps |= r.between_warps;
      gathered[i].between_blocks |= r.between_blocks;
    } else {
      gathered.push_back(r);
      lines.emplace_back(a, b);
    }
  }
  std::ranges::stable_sort(gathered, {}, [](const Race& r) {
    const RaceSite &a = r.first.site, &b = r.second.site;
    return std::tuple(!a.function->is_entry, std::min(a.pc, b.pc), std::max(a.pc, b.pc));
  });
  return gathered;
}

// One missing barrier may let many lines race on an array: the first of them tell it.
void leave_out_repetition(std::vector<Finding>& findings, const char* what) {
  constexpr std::size_t shown = 3;
  struct Array {
    std::string name;
    std::uint64_t address;
    std::size_t last = 0, count = 0;  // `last` that is shown, in `kept`
  };
  std::vector<Array> arrays;
  std::vector<Finding> kept;
  for (Finding& f : findings) {
    const std::string name = f.allocation ? f.allocation->name : "";
    const std::uint64_t address = f.allocation ? f.allocation->address : 0;
    auto it = std::ranges::find_if(
        arrays, [&](const Array& a) { return a.name == name && a.address == address; });
    if (it == arrays.end()) it = arrays.insert(it, {name, address});
    if (++it->count > shown) continue;
    it->last = kept.size();
    kept.push_back(std::move(f));
  }
  for (const Array& a : arrays)
    if (a.count > shown)
      kept[a.last].message +=
          " The same array has " + counted(a.count - shown, what) + " like this, at later lines.";
  findings = std::move(kept);
}

}  // namespace

bool steers(const Race& race) {
  const RaceSite& read = race.second.site;
  if (race.unset || race.stale || read.kind != AccessKind::load) return false;
  const std::vector<ir::Instruction>& code = read.function->code;
  std::vector<ir::Operand> derived(instruction(read).results.begin(),
                                   instruction(read).results.end());
  for (std::size_t known = 0; known < derived.size(); ++known) {
    const ir::Operand value = derived[known];
    for (const ir::Instruction& i : code) {
      const bool leads = i.opcode == ptx::Opcode::bra || i.opcode == ptx::Opcode::ret ||
                         i.opcode == ptx::Opcode::exit;
      if (leads && same_register(i.guard, value)) return true;
      if (!reads_register(i, value)) continue;
      for (const ir::Operand& result : i.results)
        if (std::ranges::none_of(derived,
                                 [&](const ir::Operand& o) { return same_register(o, result); }))
          derived.push_back(result);
    }
  }
  return false;
}

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
  // A read that races where it might be stale is that race, and nothing more.
  std::vector<Race> stale;
  std::ranges::copy_if(races, std::back_inserter(stale), &Race::stale);
  std::erase_if(races, &Race::stale);
  std::erase_if(stale, [&](const Race& read) {
    const SourceLine line = wording.line(read.second);
    const auto is_there = [&](const Race::End& end) {
      const bool same =
          end.site.function == read.second.site.function && end.site.pc == read.second.site.pc;
      return same || (line.line > 0 && wording.line(end) == line);
    };
    return std::ranges::any_of(
        races, [&](const Race& race) { return is_there(race.first) || is_there(race.second); });
  });
  const auto tell = [&](const std::vector<Race>& some, const char* what) {
    std::vector<Finding> findings;
    for (const Race& r : gather(some, wording)) findings.push_back(wording.of(r));
    leave_out_repetition(findings, what);
    return findings;
  };
  std::vector<Finding> findings = tell(races, "more race");
  std::ranges::move(tell(stale, "more stale read"), std::back_inserter(findings));
  return findings;
}

}  // namespace sim::check
