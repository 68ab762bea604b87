#include "sim/check/active_masks.h"

#include <algorithm>

#include "sim/check/source.h"
#include "sim/check/wording.h"
#include "sim/exec/step.h"

namespace sim::check {

void ActiveMasks::stepped(const exec::Stepped& s) {
  if (s.step.instruction->opcode != ptx::Opcode::activemask) return;
  const exec::Where& at = s.where;
  const auto calls = at.calls ? *at.calls : std::vector<const ir::Instruction*>{};
  const bool known = std::ranges::any_of(places_, [&](const Place& p) {
    return p.function == at.function && p.pc == at.pc && p.calls == calls;
  });
  if (!known) places_.push_back({at.function, at.pc, calls});
}

std::vector<Finding> ActiveMasks::findings(std::span<const Finding> rehearsal,
                                           std::span<const Finding> launch) const {
  std::vector<Finding> found;
  if (places_.empty() || rehearsal.empty()) return found;
  const Source source(*info_.module);
  const Resolve nobody;
  const Wording wording(info_, source, nobody);
  std::vector<Finding> asked;
  for (const Place& p : places_) {
    Finding f;
    wording.place(f, p.function, p.pc, p.calls);
    asked.push_back(std::move(f));
  }
  for (const Finding& consequence : rehearsal) {
    const bool happens_anyway = std::ranges::any_of(launch, [&](const Finding& f) {
      return f.kind == consequence.kind && f.where == consequence.where;
    });
    if (happens_anyway) continue;
    // The question that was asked last before the line; the first one when there is none.
    std::size_t last = 0;
    for (std::size_t i = 1; i < asked.size(); ++i) {
      const auto is_before = [&](const Finding& f) {
        return f.where.file == consequence.where.file && f.where.line <= consequence.where.line;
      };
      if (is_before(asked[i]) &&
          (!is_before(asked[last]) || asked[i].where.line > asked[last].where.line))
        last = i;
    }
    const bool told = std::ranges::find(found, asked[last].where, &Finding::where) != found.end();
    if (!told) found.push_back(tell(places_[last], consequence, wording));
  }
  return found;
}

Finding ActiveMasks::tell(const Place& place, const Finding& consequence,
                          const Wording& wording) const {
  Finding f;
  f.kind = Kind::barrier_divergence;
  f.launch = info_.serial;
  f.block = consequence.block;
  f.thread = consequence.thread;
  wording.place(f, place.function, place.pc, place.calls);
  std::string what = consequence.message;
  if (what.starts_with("Thread")) what[0] = 't';
  f.message =
      "Which lanes __activemask() names is chance: after a branch nothing promises that they are "
      "together again. When each lane is here by itself, " +
      what;
  f.advice =
      "Make the mask of the lanes that must take part: __ballot_sync(0xffffffff, condition) before "
      "the branch, or 0xffffffff where the whole warp comes. A mask of whoever is here serves to "
      "do for a group what each of its lanes would do alone, such as one atomicAdd for all.";
  f.sides.push_back({"asks who is here", f.where, consequence.block.value_or(Coordinates{}),
                     consequence.thread.value_or(Coordinates{})});
  if (consequence.sides.empty())
    f.sides.push_back({"and this goes wrong", consequence.where,
                       consequence.block.value_or(Coordinates{}),
                       consequence.thread.value_or(Coordinates{})});
  for (const Side& side : consequence.sides) f.sides.push_back(side);
  return f;
}

}  // namespace sim::check
