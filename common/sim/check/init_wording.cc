// What initcheck says: one finding for each read, with the first thread that made it.
#include <algorithm>
#include <tuple>

#include "sim/check/initcheck.h"
#include "sim/check/source.h"
#include "sim/check/wording.h"

namespace sim::check {

using exec::AccessKind;
using ptx::Space;

std::vector<Finding> Initcheck::findings() const {
  std::vector<Origin> used;
  for (const Origin& o : origins_)
    if (o.uses != 0) used.push_back(o);
  if (used.empty()) return {};
  const Source source(*info_.module);
  const Wording wording(info_, source, resolve_);
  std::ranges::sort(used, [](const Origin& a, const Origin& b) {
    return std::tie(a.block, a.thread, a.pc, a.address) <
           std::tie(b.block, b.thread, b.pc, b.address);
  });
  std::vector<Finding> findings;
  std::vector<const memory::Allocation*> arrays;
  for (const Origin& o : used) {
    Finding f = tell(o, wording);
    bool known = false;
    for (std::size_t k = 0; k < findings.size() && !known; ++k)
      if (f.where.line != 0 && findings[k].where == f.where && findings[k].kind == f.kind &&
          arrays[k] == o.allocation) {
        findings[k].occurrences += f.occurrences;
        known = true;
      }
    if (known) continue;
    findings.push_back(std::move(f));
    arrays.push_back(o.allocation);
  }
  return findings;
}

std::vector<SourceLine> Initcheck::led_astray() const {
  if (wild_.empty()) return {};
  const Source source(*info_.module);
  std::vector<SourceLine> lines;
  for (const Place& p : wild_)
    lines.push_back(source.line(p.function->code[static_cast<std::size_t>(p.pc)].location));
  return lines;
}

Finding Initcheck::tell(const Origin& o, const Wording& wording) const {
  Finding f;
  f.launch = info_.serial;
  f.block = wording.block(o.block);
  f.thread = wording.thread(o.thread);
  f.occurrences = o.uses;
  wording.place(f, o.function, o.pc, o.calls);
  const std::string who = wording.who(o.block, o.thread);
  if (o.source_lane >= 0) {
    f.kind = Kind::barrier_divergence;
    f.message = who + " uses a value shuffled from lane " + std::to_string(o.source_lane) +
                ", which does not take part in the shuffle.";
    f.advice =
        "Such a value is undefined. Let the whole warp come to the shuffle, with a neutral value "
        "for threads without an element, or look at the offset and the width.";
    return f;
  }
  f.kind = Kind::uninitialised_read;
  f.address = o.address;
  f.access = "read";
  f.bytes = o.bytes;
  const std::string does =
      (o.access == AccessKind::load ? " reads " : " updates ") + counted(o.bytes, "byte");
  if (o.space == Space::shared) {
    f.message =
        who + does + " at byte " + std::to_string(o.address) +
        " of the block's shared memory, where no thread has put a value, and computes with them.";
    f.advice =
        "Shared memory starts with whatever the block before left there. Who should have written "
        "this element: a thread that was kept out by a bounds check, one that wrote elsewhere, or "
        "one that comes later because a barrier is missing?";
    return f;
  }
  if (o.space == Space::local) {
    f.message = who + does +
                " of an array of its own that it has not written, and computes with "
                "them.";
    f.advice =
        "Arrays declared in a kernel start with whatever was there: give them a value, = {} for "
        "zeros, and compare the loops that write and read them.";
    return f;
  }
  if (o.allocation) f.allocation = describe(*o.allocation, resolve_);
  f.message = who + does + " of " + (f.allocation ? wording.name(*f.allocation) : "device memory") +
              (o.allocation ? ", at byte " + std::to_string(o.address - o.allocation->begin) : "") +
              ", which nobody has written, and computes with them.";
  f.advice =
      o.access == AccessKind::load
          ? "Memory from cudaMalloc holds whatever was there before. Was the copy or the "
            "cudaMemset that fills it left out, too short (sizes are in bytes), or does an "
            "earlier kernel not write this element?"
          : "Counters and sums must be set to zero before anything is added: cudaMemset with "
            "the size in bytes, n * sizeof(T).";
  return f;
}

}  // namespace sim::check
