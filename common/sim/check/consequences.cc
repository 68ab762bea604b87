#include "sim/check/consequences.h"

#include <algorithm>

namespace sim::check {

std::vector<Finding> Found::all() const {
  std::vector<Finding> findings;
  for (const std::vector<Finding>* part : {&refused, &unsynced, &races, &unwritten})
    findings.insert(findings.end(), part->begin(), part->end());
  return findings;
}

void leave_out_consequences(Found& found, std::span<const SourceLine> astray, bool steered) {
  // Where an index was never set, the address that it leads to says nothing more.
  std::erase_if(found.refused, [&](const Finding& access) {
    const bool wild = access.kind == Kind::out_of_bounds || access.kind == Kind::misaligned;
    return wild && std::ranges::find(astray, access.where) != astray.end();
  });
  // Threads that a race sent the wrong way miss a barrier by chance.
  if (steered)
    std::erase_if(found.unsynced,
                  [](const Finding& f) { return f.kind == Kind::barrier_divergence; });
  // A read that races with the write it should have seen is that race, and nothing more; and
  // whether an awaited flag is found unset or just set is chance.
  std::erase_if(found.unwritten, [&](const Finding& read) {
    return std::ranges::any_of(found.races, [&](const Finding& race) {
      return (race.kind == Kind::uninitialised_read && race.where == read.where) ||
             std::ranges::find(race.sides, read.where, &Side::where) != race.sides.end();
    });
  });
}

}  // namespace sim::check
