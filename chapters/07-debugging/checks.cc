// The checks of bug-hunt: right for every recording, nothing found, and the first bug named.
#include "bug-hunt.h"

#include <algorithm>
#include <cstdint>

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

// What the kinds of findings have to say in this lab: where to look next, not what is wrong.
const lab::Hints hints = {
    {"out-of-bounds",
     "The finding names two lines: the one that accessed memory, and the one that made it. Which "
     "of the two is wrong?\nFor shared memory the second is the launch: its third argument counts "
     "bytes."},
    {"shared-race",
     "Two threads of a block meet in shared memory, and nothing says who comes first. What lies "
     "between the two lines\nthat the finding names?"},
    {"uninitialised-read",
     "Somebody reads what nobody wrote. cudaMalloc does not clear memory. Who was to write it "
     "first?"},
    {"use-after-free",
     "The finding names the line that freed the memory. A kernel that comes later in the program "
     "still needs it."},
    {"barrier-divergence",
     "Every thread of the block has to reach the same barrier: those that have no element, too. "
     "Where does one leave\nbefore it?"},
    {"launch-error",
     "The device refused a launch. Does the program ask cudaGetLastError() after each of them? "
     "And what does this launch\nask for when the recording is long?"},
};

// In the case where launches are made to fail, what nobody wrote is what such a launch left out.
lab::Hints hints_when_refused() {
  lab::Hints changed = hints;
  changed["uninitialised-read"] =
      "In this case the device refuses a launch, whatever it asks for. The program went on, and "
      "later kernels read what the\nrefused one was to write. Ask cudaGetLastError() after each "
      "launch.";
  return changed;
}

std::vector<short> random_recording(int n, int low, int high) {
  std::vector<short> samples(n);
  for (short& sample : samples) sample = static_cast<short>(lab::random_value(low, high));
  return samples;
}

struct Expected {
  explicit Expected(const std::vector<short>& samples) : smoothed(samples.size()), tally(bins) {
    const int n = static_cast<int>(samples.size());
    for (int i = 0; i < n; ++i) {
      const int from = std::max(i - 2, 0), to = std::min(i + 2, n - 1);
      for (int k = from; k <= to; ++k) smoothed[i] += samples[k] / 32768.0;
      smoothed[i] /= to - from + 1;
      loudest[0] = std::max(loudest[0], smoothed[i]);
      ++tally[(samples[i] + 32768) / 4096];
    }
  }
  std::vector<double> smoothed, tally, loudest = {-1};
};

std::size_t bytes_in_use() {
  std::size_t free = 0, total = 0;
  LAB_CUDA(cudaMemGetInfo(&free, &total));
  return total - free;
}

profile::Report recording_case(const std::string& name, int n, int low, int high,
                               std::size_t* kept = nullptr) {
  return lab::trial(
      name,
      [=] {
        const std::vector<short> samples = random_recording(n, low, high);
        const Expected expected(samples);
        const std::size_t before = bytes_in_use();
        const Summary summary = summarise(samples);
        if (kept) *kept = bytes_in_use() - before;
        lab::expect_close("smoothed", summary.smoothed, expected.smoothed);
        lab::expect_equal("tally",
                          std::vector<unsigned>(summary.tally.begin(), summary.tally.end()),
                          expected.tally);
        lab::expect_close("loudest", std::vector<float>{summary.loudest}, expected.loudest);
      },
      hints);
}

// Each launch in turn is refused by the device, and nothing about the launch is wrong.
void refused_case() {
  lab::trial(
      "a launch is refused",
      [] {
        for (int launch = 1; launch <= 5; ++launch) {
          bool told = false;
          profile::fail_launch(launch);
          try {
            summarise(random_recording(1000, -32768, 32767));
          } catch (const lab::Failure&) {
            told = true;
          }
          profile::fail_launch(0);
          lab::expect(told, "the device refused launch " + std::to_string(launch) +
                                ", and summarise returned as if all had gone well.\n"
                                "A launch returns nothing: put LAB_CUDA(cudaGetLastError()) after "
                                "each of them.");
        }
      },
      hints_when_refused());
}

// ---- The answer ----

// Which line it is must not stand here for all to read, so only its hash does (FNV-1a, 32 bits).
constexpr std::uint32_t hash(const char* what, int value) {
  std::uint32_t h = 2166136261u;
  for (; *what; ++what) h = (h ^ static_cast<unsigned char>(*what)) * 16777619u;
  for (int shift = 0; shift < 32; shift += 8)
    h = (h ^ (static_cast<std::uint32_t>(value) >> shift & 0xff)) * 16777619u;
  return h;
}

constexpr std::uint32_t cause = 0xa8ba5b71;    // of the line that has to change
constexpr std::uint32_t symptom = 0x6f38ceca;  // of the line at which it showed
constexpr std::uint32_t mistake = 0x4b53df02;

void answer_case(const FirstBug& answer) {
  lab::trial("the first bug", [&] {
    lab::expect(answer.line != 0 && answer.mistake != Mistake::not_yet_found,
                "first_bug() does not tell yet which mistake you met first.\n"
                "It is the one behind the first finding of the program as it was shipped. "
                "(`./lab reset` brings that\nprogram back, and keeps yours beside it.)");
    lab::expect(hash("line", answer.line) != symptom,
                "Line " + std::to_string(answer.line) +
                    " is where the first bug showed. Would you change that line? Look for the one "
                    "that\nmade it go wrong: a finding names more than one line.");
    lab::expect(hash("line", answer.line) == cause,
                "It is not line " + std::to_string(answer.line) +
                    " that has to change. Count in starter.cu as it was shipped, before you "
                    "mended anything\n(`./lab reset` brings it back, and keeps yours beside it), "
                    "and take the very first finding.");
    lab::expect(hash("mistake", static_cast<int>(answer.mistake)) == mistake,
                "The line is right; the kind of mistake is not. What would be wrong about the line "
                "if nobody had run it?");
  });
}

}  // namespace

void lab::checks() {
  const FirstBug answer = first_bug();
  for (int n : lab::sizes()) recording_case("n = " + std::to_string(n), n, -32768, 32767);
  recording_case("only negative samples", 1000, -32768, -1);
  if (profile::fail_launch(0)) refused_case();

  // Long enough that one block could not have a thread for each block of the grid.
  const int n = 160'000;
  std::size_t kept = 0;
  const profile::Report report =
      recording_case("a long recording: n = " + std::to_string(n), n, -32768, 32767, &kept);
  answer_case(answer);

  lab::gate({.name = "kernels launched",
             .measured = static_cast<double>(report.kernels.size()),
             .limit = lab::exactly(5),
             .good = 5,
             .good_when = "when each step is a kernel, and the last one runs twice",
             .naive = 4,
             .naive_when = "when one launch is refused and nobody asks",
             .advice = "Mend the program, and leave its shape: scale, smooth, count_levels, and "
                       "largest twice.",
             .from_counters = false});
  const double stored = 2 * n * sizeof(float) / 32.0;
  lab::gate({.name = "sectors stored by kernels",
             .measured = report.total(counter::store_sectors),
             .limit = lab::at_least(stored),
             .good = stored,
             .good_when = "when kernels write the levels and their means",
             .naive = 0,
             .naive_when = "when the host computes them",
             .advice = "The work is the device's: mend the kernels instead of going around them."});
  lab::gate({.name = "active lanes per warp",
             .measured = report.ratio(counter::thread_instructions, counter::instructions),
             .limit = lab::at_least(24),
             .good = 30,
             .good_when = "when all threads of a warp work",
             .naive = 1,
             .naive_when = "when a single thread does everything, so that no two can race",
             .advice = "A race is mended with a barrier between the two, not by doing without "
                       "threads."});
  lab::gate({.name = "bytes still allocated",
             .measured = profile::checks_memory() ? std::optional<double>(kept) : std::nullopt,
             .limit = lab::exactly(0),
             .good = 0,
             .good_when = "when every array is freed once the last kernel that uses it is done",
             .naive = n * sizeof(float),
             .naive_when = "when the array that was freed too early is not freed at all",
             .advice = "Six calls of cudaMalloc need six of cudaFree."});
}
