// Work in streams, the host, and whether anything says which comes first.
#include "sim/check/streamcheck.h"

#include <doctest/doctest.h>

#include "sim/memory/memory.h"

using namespace sim::check;
using sim::memory::Address;

namespace {

// Each piece of work is on a line of its own and knows nothing of the others, but for what a test
// says. They come in the order of their lines.
class Streams {
 public:
  Streams() : array(*memory.allocate(4096, sim::memory::Kind::device)) {}

  Action work(std::size_t line, Use use, std::uint64_t from = 0, std::uint64_t bytes = 64) {
    Action a;
    a.what = "work " + std::to_string(line);
    a.stream = "stream " + std::to_string(line);
    a.site.frames[0] = reinterpret_cast<void*>(line + 100);  // its line in the source
    a.serial = line;
    a.line = line;
    a.tick = 1;
    a.clock.set(line, 1);
    a.touched.of(use) = {{array.begin + from, array.begin + from + bytes}};
    return a;
  }
  Action host(std::size_t line, Use use, std::uint64_t from = 0) {
    Action a = work(line, use, from, 1);
    a.kind = Action::Kind::host;
    a.what = "the host";
    a.stream.clear();
    return a;
  }
  ActionPtr add(const Action& a) {
    auto action = std::make_shared<Action>(a);
    streamcheck.add(action, memory, findings, 0);
    return action;
  }
  // What is found of the two.
  Finding race(const Action& first, const Action& second) {
    add(first);
    add(second);
    REQUIRE(findings.size() == 1);
    return findings[0];
  }

  sim::memory::DeviceMemory memory{1 << 20};
  const sim::memory::Allocation& array;
  Streamcheck streamcheck{[](const sim::memory::CallSite& site) {
    return SourceLine{"pipe.cu",
                      static_cast<int>(reinterpret_cast<std::uintptr_t>(site.frames[0]))};
  }};
  std::vector<Finding> findings;
};

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE_FIXTURE(Streams, "work that is on the clock of other work comes before it") {
  Action later = work(2, Use::read);
  later.clock.set(1, 1);
  add(work(1, Use::written));
  add(later);
  CHECK(findings.empty());
  add(work(3, Use::read));  // nothing orders it with the first
  CHECK(findings.size() == 1);
}

TEST_CASE_FIXTURE(Streams, "a race tells both sides, and the bytes that both touch") {
  const Finding f = race(work(1, Use::written, 0, 64), work(2, Use::read, 32, 64));
  CHECK(f.kind == Kind::stream_race);
  CHECK(f.access == "read");
  CHECK(f.where.line == 102);
  CHECK(says(f.message, "work 2 in stream 2 reads bytes 32 to 63 of the array"));
  CHECK(says(f.message, "while work 1 in stream 1 (pipe.cu:101) writes them: "));
  REQUIRE(f.sides.size() == 2);
  CHECK(f.sides[0].where.line == 101);
}

TEST_CASE_FIXTURE(Streams, "one byte is no bytes, and a whole array no part of it") {
  CHECK(says(race(work(1, Use::written, 5, 1), work(2, Use::written)).message, "writes byte 5 of"));
  CHECK(says(findings[0].message, " writes it: "));
  findings.clear();
  streamcheck.clear();
  CHECK(says(race(work(3, Use::written, 0, 4096), work(4, Use::written, 0, 4096)).message,
             "writes all 4,096 bytes of the array"));
  findings.clear();
  streamcheck.clear();
  CHECK(
      says(race(work(5, Use::written), work(6, Use::written)).message, "writes bytes 0 to 63 of"));
}

TEST_CASE_FIXTURE(Streams, "the same two lines are told once, others by themselves") {
  add(work(1, Use::written));
  for (std::size_t line = 2; line < 4; ++line) {
    Action reader = work(line, Use::read);
    reader.site.frames[0] = reinterpret_cast<void*>(50);
    add(reader);
  }
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].occurrences == 2);
  Action writer = work(9, Use::written);
  writer.clock.set(1, 1);
  writer.clock.set(2, 1);
  Action reader = work(10, Use::read);
  reader.site.frames[0] = reinterpret_cast<void*>(50);
  reader.clock.set(1, 1);
  add(writer);
  add(reader);
  CHECK(findings.size() == 3);
}

TEST_CASE_FIXTURE(Streams, "memory that is given back while many use it is told once") {
  for (std::size_t line = 1; line < 4; ++line) add(work(line, Use::read));
  Action release = work(4, Use::written);
  release.kind = Action::Kind::release;
  add(release);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].occurrences == 3);
  CHECK(findings[0].kind == Kind::use_after_free);
}

TEST_CASE_FIXTURE(Streams, "who comes upon memory that was given back before uses it after that") {
  Action release = work(1, Use::written);
  release.kind = Action::Kind::release;
  const Finding f = race(release, work(2, Use::read));
  CHECK(f.kind == Kind::use_after_free);
  CHECK(f.access == "read");
}

TEST_CASE_FIXTURE(Streams, "functions of the host in two streams are no race with each other") {
  add(host(1, Use::written));
  add(host(2, Use::written));
  CHECK(findings.empty());
  add(work(3, Use::read, 0, 1));
  CHECK_FALSE(findings.empty());
}

TEST_CASE_FIXTURE(Streams, "a byte that work wrote for the host tells that the work is done") {
  Action kernel = work(1, Use::system, 8, 4);
  kernel.touched.of(Use::written) = {{array.begin + 64, array.begin + 128}};
  const ActionPtr sender = add(kernel);
  const Clock unaware;
  CHECK(streamcheck.sender_of(array.begin + 8, unaware) == sender);
  CHECK(streamcheck.sender_of(array.begin + 11, unaware) == sender);
  CHECK(streamcheck.sender_of(array.begin + 7, unaware) == nullptr);
  CHECK(streamcheck.sender_of(array.begin + 12, unaware) == nullptr);
  CHECK(streamcheck.sender_of(array.begin + 64, unaware) == nullptr);  // by plain stores
  CHECK(streamcheck.sender_of(array.begin + 8, kernel.clock) == nullptr);
}

TEST_CASE_FIXTURE(Streams,
                  "work is forgotten when all that may come, or is queued, comes after it") {
  add(work(1, Use::written));
  Clock known;
  known.set(1, 1);
  const Clock knows_nothing;
  streamcheck.forget(knows_nothing, {});
  CHECK_FALSE(streamcheck.is_idle());
  streamcheck.forget(known, {&known, &knows_nothing});
  CHECK_FALSE(streamcheck.is_idle());
  streamcheck.forget(known, {&known});
  CHECK(streamcheck.is_idle());
}

TEST_CASE_FIXTURE(Streams, "a wait for an event that was never recorded is told on either side") {
  for (const bool by_later : {false, true}) {
    findings.clear();
    streamcheck.clear();
    Action first = work(1, Use::written), second = work(2, Use::read);
    (by_later ? second : first).void_wait.frames[0] = reinterpret_cast<void*>(77);
    CHECK(says(race(first, second).advice, "The wait at pipe.cu:77 is for an event"));
  }
}

TEST_CASE_FIXTURE(Streams, "the advice is of devices, of a graph, or of streams") {
  Action other = work(2, Use::read);
  SUBCASE("two devices") {
    other.device = 1;
    CHECK(says(race(work(1, Use::written), other).advice, "Devices do not wait for each other"));
  }
  SUBCASE("two nodes of a graph") {
    Action first = work(1, Use::written);
    first.stream = other.stream = "a graph in stream 1";
    CHECK(says(race(first, other).advice, "Nodes of a graph run in any order"));
  }
  SUBCASE("one of them a node of a graph") {
    other.stream = "a graph in stream 1";
    CHECK(says(race(work(1, Use::written), other).advice, "Work in different streams"));
  }
}
