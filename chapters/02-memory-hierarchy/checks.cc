// The checks of particles: a layout in which nothing overlaps, right at every size, and a step that
// moves the 40 bytes of a particle that matter, in whole sectors, also where n divides by nothing.
#include "particles.h"

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

constexpr const char* field_name[fields] = {"pos_x", "pos_y", "pos_z", "vel_x",
                                            "vel_y", "vel_z", "mass",  "charge"};

std::string call(int field, int i, int n) {
  return std::string("place(") + field_name[field] + ", " + std::to_string(i) + ", " +
         std::to_string(n) + ")";
}

std::string call(int index, int n) {  // of the index-th number, counted field by field
  return call(index / n, index % n, n);
}

// The place of every number, after making sure that it has one of its own.
std::vector<std::size_t> layout(int n) {
  const std::size_t size = floats_for(n);
  const std::size_t most = std::size_t(fields) * (n + 64);
  lab::expect(size <= most, "floats_for(" + std::to_string(n) + ") is " + std::to_string(size) +
                                ", and should be at most " + std::to_string(most) +
                                ": it counts floats, not bytes, and padding is a line or two.");
  std::vector<std::size_t> places(std::size_t(fields) * n);
  std::vector<int> owner(size, -1);
  for (int index = 0; index < fields * n; ++index) {
    const std::size_t at = place(static_cast<Field>(index / n), index % n, n);
    if (at >= size)
      lab::fail(call(index, n) + " is " + std::to_string(at) +
                ", beyond the memory that there is: floats_for(" + std::to_string(n) + ") is " +
                std::to_string(size) + ".\nBoth must count on the same padding.");
    if (owner[at] >= 0)
      lab::fail(call(owner[at], n) + " and " + call(index, n) + " are both " + std::to_string(at) +
                ". Every number needs a place of its own: how far apart must two arrays begin so "
                "that n particles fit in between?");
    owner[at] = index;
    places[index] = at;
  }
  return places;
}

// Nothing is allocated: only the arithmetic is tried, on numbers that no int can hold.
void many_particles_case() {
  const int n = 300'000'003;
  lab::trial("places of 300 million particles", [] {
    const std::size_t size = floats_for(n), least = std::size_t(fields) * n;
    const char* wrapped =
        ".\nEight fields of so many particles are more than 2^31: count in std::size_t.";
    lab::expect(size >= least, "floats_for(" + std::to_string(n) + ") is " + std::to_string(size) +
                                   ", and should be at least " + std::to_string(least) + wrapped);
    for (int field = 0; field < fields; ++field)
      for (int i : {0, n / 2, n - 1}) {
        const std::size_t at = place(static_cast<Field>(field), i, n);
        lab::expect(at < size, call(field, i, n) + " is " + std::to_string(at) +
                                   ", beyond the memory that there is: floats_for(" +
                                   std::to_string(n) + ") is " + std::to_string(size) + wrapped);
      }
  });
}

enum class Order { velocity_first, position_first };

std::vector<double> moved_on(int n, float dt, const std::vector<float>& before,
                             Order order = Order::velocity_first) {
  std::vector<double> after(before.begin(), before.end());
  for (int i = 0; i < n; ++i) {
    const auto of = [&](Field field) -> double& { return after[std::size_t(field) * n + i]; };
    const double old_velocity = of(vel_z);
    of(vel_z) -= double(gravity) * dt;
    of(pos_x) += of(vel_x) * dt;
    of(pos_y) += of(vel_y) * dt;
    of(pos_z) += (order == Order::velocity_first ? of(vel_z) : old_velocity) * dt;
  }
  return after;
}

profile::Report step_case(int n) {
  return lab::trial(
      "n = " + std::to_string(n),
      [n] {
        const std::vector<std::size_t> places = layout(n);
        const float dt = lab::random_value(0.02f, 0.1f);
        const auto before = lab::random_vector(places.size(), -1.f, 1.f);
        const std::vector<double> expected = moved_on(n, dt, before);

        const float padding = std::numeric_limits<float>::quiet_NaN();
        std::vector<float> memory(floats_for(n), padding);
        for (std::size_t k = 0; k < places.size(); ++k) memory[places[k]] = before[k];
        lab::Buffer<float> particles("particles", memory);
        step(n, dt, particles.get());

        const std::vector<float> read = particles.read();
        for (int field = 0; field < fields; ++field) {
          const auto of_field = [&](const auto& values) {
            const auto first = values.begin() + std::ptrdiff_t(field) * n;
            return std::vector<double>(first, first + n);
          };
          std::vector<double> got(n);
          for (int i = 0; i < n; ++i) got[i] = read[places[std::size_t(field) * n + i]];
          const auto wrong = lab::first_mismatch(got, of_field(expected), {});
          if (!wrong) continue;
          const auto looks_like = [&](const std::vector<double>& mistake) {
            return !lab::first_mismatch(got, of_field(mistake), {});
          };
          std::string why;
          if (looks_like(moved_on(n, 0, before)))
            why = "\nIt is what it was before the step.";
          else if (looks_like(moved_on(n, dt, before, Order::position_first)))
            why =
                "\nThat is where the old velocity would have brought it. The new one comes first.";
          lab::fail(lab::describe(field_name[field], *wrong, n) + why);
        }
      },
      {{"out-of-bounds",
        "Blocks come in whole, and n = " + std::to_string(n) +
            " most often leaves threads over: they must not touch memory. If i is less than\n"
            "n, look at place and floats_for: do they agree on how long an array is?"},
       {"launch-error", "For n = 0 the grid would have no blocks: return before the launch."},
       {"global-race",
        "Two threads work on one float. Does a thread without a particle touch memory? Its place "
        "may belong to a\nparticle of the next array."}});
}

// 4 where every byte of a sector is used: the 32 floats of a warp are 128 bytes, four sectors.
std::optional<double> sectors_per_line(const profile::Report& report, const char* sectors,
                                       const char* bytes) {
  const std::optional<double> ratio = report.ratio(sectors, bytes);
  return ratio ? std::optional(128 * *ratio) : std::nullopt;
}

// Beyond what the case itself reads back.
std::optional<double> copied_to_host(const profile::Report& report, int n) {
  if (report.timeline.empty()) return std::nullopt;
  double bytes = 0;
  for (const profile::Operation& operation : report.timeline)
    if (operation.kind == "copy to host") bytes += static_cast<double>(operation.bytes);
  return bytes - static_cast<double>(sizeof(float) * floats_for(n));
}

}  // namespace

void lab::checks() {
  for (int n : lab::sizes()) step_case(n);
  many_particles_case();

  // Counted where every warp is full, so that a gate needs no allowance for the last one.
  const int n = 1 << 14;
  const profile::Report report = step_case(n);
  const auto sectors = [](const profile::Report& r) {
    return r.total(counter::load_sectors).value_or(0) + r.total(counter::store_sectors).value_or(0);
  };
  const auto bytes = [](const profile::Report& r) {
    return r.total(counter::load_bytes).value_or(0) + r.total(counter::store_bytes).value_or(0);
  };

  lab::gate({.name = "kernels launched",
             .measured = static_cast<double>(report.kernels.size()),
             .limit = lab::exactly(1),
             .good = 1,
             .good_when = "when the device takes the step in one go",
             .naive = 0,
             .naive_when = "when the host takes it",
             .advice =
                 "One kernel moves a particle with all that belongs to it. A second one would "
                 "read again what the first\nhas just had in its registers.",
             .from_counters = false});
  lab::gate({.name = "bytes copied to the host by step",
             .measured = copied_to_host(report, n),
             .limit = lab::exactly(0),
             .good = 0,
             .good_when = "when the particles stay on the device",
             .naive = 4.0 * fields * n,
             .naive_when = "when the host fetches them to take the step",
             .advice = "The particles need not leave the device between two steps: a copy to the "
                       "host and back costs far more than the\nstep itself."});
  lab::gate({.name = "sectors per 128 bytes loaded",
             .measured = sectors_per_line(report, counter::load_sectors, counter::load_bytes),
             .limit = lab::at_most(4.1),
             .good = 4,
             .good_when = "when the 32 threads of a warp read 32 neighbouring floats",
             .naive = 32,
             .naive_when = "in an array of structures, where the x of the next particle lies 32 "
                           "bytes on",
             .advice = "The threads of a warp read the same field of 32 particles, at the same "
                       "time. Change place so that these\nlie side by side: all x together, then "
                       "all y. And neighbouring threads take neighbouring particles."});
  lab::gate({.name = "sectors per 128 bytes stored",
             .measured = sectors_per_line(report, counter::store_sectors, counter::store_bytes),
             .limit = lab::at_most(4.1),
             .good = 4,
             .good_when = "when the 32 threads of a warp write 32 neighbouring floats",
             .naive = 32,
             .naive_when = "in an array of structures",
             .advice = "What holds for reading holds for writing: the same field of neighbouring "
                       "particles lies side by side."});
  lab::gate({.name = "bytes moved per particle",
             .measured = report.kernels.empty() || sectors(report) == 0
                             ? std::nullopt
                             : std::optional(32 * sectors(report) / n),
             .limit = lab::exactly(40),
             .good = 40,
             .good_when = "when six floats are read and the four that change are written",
             .naive = 320,
             .naive_when = "in an array of structures, where each float brings its sector along",
             .advice =
                 "Six of the eight fields matter to a step: three positions, three "
                 "velocities. Four of them change. More\nthan 40 bytes: something else travels "
                 "along. Fewer: the kernel does not do the step's work."});
  lab::gate({.name = "active lanes per warp",
             .measured = report.ratio(counter::thread_instructions, counter::instructions),
             .limit = lab::at_least(31.5),
             .good = 32,
             .good_when = "when blocks are made of whole warps",
             .naive = 1,
             .naive_when = "with one thread in a block",
             .advice = "Make the block a multiple of 32, and give every thread a particle."});

  const int ragged = n + 3;
  const profile::Report other = step_case(ragged);
  lab::gate({.name = "sectors per 128 bytes, n = " + std::to_string(ragged),
             .measured = bytes(other) > 0 ? std::optional(128 * sectors(other) / bytes(other))
                                          : std::nullopt,
             .limit = lab::at_most(4.1),
             .good = 4.001,
             .good_when = "when every array begins at a multiple of 32 bytes",
             .naive = 4.8,
             .naive_when = "when arrays of n floats follow each other without a gap",
             .advice =
                 "32 neighbouring floats lie in four sectors only if the first of them begins "
                 "one; else they reach into a\nfifth. Let each array be a little longer than "
                 "n: round it up to a multiple of 8 floats, or 32."});
}
