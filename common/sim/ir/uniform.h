// Values that are the same in every thread of a block because of how the function computes them,
// whatever the data: kernel parameters, literals, block indices, addresses of variables, and what
// is computed from nothing else.
//
// ptxas knows them too, and makes cheaper code where it can; counting must know when it does.
#pragma once

#include <vector>

#include "sim/ir/program.h"

namespace sim::ir {

class Uniform {
 public:
  explicit Uniform(const Function& function);

  bool operator()(const Operand& operand) const;
  bool operator()(const Address& address) const {
    return !address.base.present() || (*this)(address.base);
  }

 private:
  std::vector<bool> frame_;  // by byte offset of the register
};

}  // namespace sim::ir
