// Grading: a lab's checks.cc defines lab::checks(), which runs cases and states gates.
//
//     void lab::checks() {
//       for (int n : lab::sizes())
//         lab::trial("n = " + std::to_string(n), [&] { … lab::expect_close("y", y.read(),
//         expected); });
//       auto report = lab::trial("n = 4096", …);
//       lab::gate({…});
//     }
//
// The main that calls it is in the library. It keeps the record (record.h) and fails when no case
// ran.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lab/buffer.h"
#include "lab/check.h"
#include "lab/compare.h"
#include "lab/gate.h"
#include "lab/random.h"
#include "profile/profile.h"

namespace lab {

// Defined by each lab's checks.cc.
void checks();

// The sizes every lab meets: nothing, one, a warp and its neighbours, a block and its neighbours,
// and sizes that divide by nothing.
std::vector<int> sizes();

// What a kind of finding usually means in this lab: "out-of-bounds" → a sentence or two for the
// learner, shown with the finding.
using Hints = std::map<std::string, std::string>;

// Runs one case and records it. The case fails if `body` throws (the expect_… functions do), if the
// device saw a mistake (a finding that is an error), or if a CUDA error is left over. The report
// tells which kernels ran.
profile::Report trial(const std::string& name, const std::function<void()>& body,
                      const Hints& hints = {});

// One more case: the device refuses the first launch of `body`, which must not go unnoticed: `body`
// has to throw. No case where the device cannot be made to refuse.
void refused_launch(const std::function<void()>& body);

}  // namespace lab
