// The sentences of memcheck's findings: what happened, where, why it matters, what to look at next.
#pragma once

#include <string>
#include <vector>

#include "sim/check/memcheck.h"
#include "sim/check/source.h"

namespace sim::check {

class Wording {
 public:
  Wording(const exec::LaunchInfo& info, const Source& source, const Resolve& resolve)
      : info_(info), source_(source), resolve_(resolve) {}

  Finding of(const Mistake& mistake) const;
  // `calls` as in Memcheck::Stopped.
  Finding of(const exec::Stop& stop,
             const std::vector<std::vector<const ir::Instruction*>>& calls) const;
  // For the sentences of other checkers.
  void place(Finding& finding, const ir::Function* function, std::int32_t pc,
             const std::vector<const ir::Instruction*>& calls) const;
  Coordinates block(std::uint64_t number) const;
  Coordinates thread(std::uint32_t number) const;
  std::string who(std::uint64_t block_number, std::uint32_t thread_number) const;
  std::string name(const AllocationNote& note) const;

 private:
  void peer_memory(Finding& finding, const Mistake& m) const;
  void out_of_bounds(Finding& finding, const Mistake& m) const;
  void outside_array(Finding& finding, const Mistake& m, const std::string& does) const;
  std::string why_outside(const Mistake& m, std::int64_t index, std::uint64_t count) const;
  std::string who(const exec::Where& where) const;

  const exec::LaunchInfo& info_;
  const Source& source_;
  const Resolve& resolve_;
};

// "starter.cu:20": short, for sentences.
std::string brief(const SourceLine& line);
// "4 bytes", "1 byte", "12,582,912 threads".
std::string counted(std::uint64_t number, const char* noun);
// The declared name of a variable: `tile`, not `_ZZ6kernelPfE4tile`.
std::string declared_name(const std::string& symbol);

}  // namespace sim::check
