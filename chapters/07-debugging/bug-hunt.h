// The lab of chapter 7: a program that is wrong in seven places.
#pragma once

#include <array>
#include <vector>

/// Bins of a recording's histogram. Bin b counts the levels from -1 + b/8 up to, but not including,
/// -1 + (b + 1)/8.
inline constexpr int bins = 16;

/// What the program finds out about a recording.
struct Summary {
  std::vector<float> smoothed;         ///< The mean of each level and its neighbours.
  std::array<unsigned, bins> tally{};  ///< How many levels lie in each bin.
  float loudest = -1;                  ///< The largest of `smoothed`; -1 if there are none.
};

/// Looks at a recording, on the device.
///
/// @param samples  16-bit samples, any number of them. A sample's level is sample / 32768, so it
///                 lies from -1 up to, but not including, 1.
///
/// In `smoothed`, element i is the mean of the levels i - 2 to i + 2, as far as they exist: the
/// first and the last have two neighbours, not four. The tally counts levels that are not
/// smoothed. A CUDA call or launch that fails throws (LAB_CUDA does that), and nothing stays
/// allocated when all goes well.
Summary summarise(const std::vector<short>& samples);

/// What a mistake in a CUDA program can be.
enum class Mistake {
  not_yet_found,
  too_few_bytes,      ///< An array, or a block's shared memory, is smaller than it is taken to be.
  wrong_index,        ///< The memory is large enough, and an index runs over it.
  missing_barrier,    ///< Threads read what others of their block may not have written yet.
  divergent_barrier,  ///< A barrier that not all threads of a block reach.
  uninitialised,      ///< Memory is read that nobody wrote.
  freed_too_early,    ///< Memory is used after it was given back.
  impossible_launch,  ///< A launch that the device refuses.
  wrong_formula,      ///< All accesses are right, and the result is not.
};

/// Your answer: the mistake behind the first finding that the program, as shipped, leads to.
struct FirstBug {
  int line = 0;  ///< The line of starter.cu, as shipped, that has to change.
  Mistake mistake = Mistake::not_yet_found;
};

/// Tells your answer.
FirstBug first_bug();
