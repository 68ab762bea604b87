// The least that a handler needs to run one row of instructions.txt: registers, and a step.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "cases.h"
#include "sim/exec/step.h"

namespace golden {

// One row's registers: sources, results, then the second results; 32 lanes of up to 8 bytes each.
struct Machine {
  alignas(64) std::array<std::byte, 8 * 256> frame{};
  std::vector<sim::ir::Operand> results, sources;
  sim::ir::Instruction instruction;
  sim::exec::Step step;
  sim::exec::Registers registers;

  explicit Machine(const Row& row) : instruction(row.instruction) {
    std::uint32_t offset = 0;
    const auto place = [&](const golden::Operand& o) {
      sim::ir::Operand operand;
      operand.bank = sim::ir::Bank::frame;
      operand.bytes = static_cast<std::uint8_t>(o.bytes);
      operand.offset = offset;
      offset += 256;
      return operand;
    };
    for (const golden::Operand& o : row.sources) sources.push_back(place(o));
    for (const golden::Operand& o : row.results) results.push_back(place(o));
    instruction.sources = sources;
    instruction.results = results;
    step.instruction = &instruction;
    for (std::size_t k = 0; k < std::min<std::size_t>(4, sources.size()); ++k)
      step.source[k] = sources[k];
    for (std::size_t k = 0; k < results.size(); ++k) step.result[k] = results[k];
    registers.bank[static_cast<std::size_t>(sim::ir::Bank::frame)] = frame.data();
    step.run = sim::exec::handler_for(instruction);
  }
  Machine(const Machine&) = delete;  // its step points into it
  Machine& operator=(const Machine&) = delete;

  bool runs() const { return step.run != nullptr; }
  void put(const sim::ir::Operand& o, std::uint32_t lane, std::uint64_t bits) {
    if (o.bytes == 0)
      registers.set_predicate(o, bits ? ~0u : 0, 1u << lane);
    else
      std::memcpy(frame.data() + o.offset + lane * o.bytes, &bits, o.bytes);
  }
  std::uint64_t get(const sim::ir::Operand& o, std::uint32_t lane) const {
    if (o.bytes == 0) return registers.predicate(o) >> lane & 1;
    std::uint64_t bits = 0;
    std::memcpy(&bits, frame.data() + o.offset + lane * o.bytes, o.bytes);
    return bits;
  }
};

}  // namespace golden
