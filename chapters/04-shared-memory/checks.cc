// The checks of transpose: right for every shape; whole sectors both ways; through shared memory,
// and without bank conflicts.
#include "transpose.h"

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

constexpr const char* shared_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
constexpr const char* shared_bytes_read = "smsp__sass_data_bytes_mem_shared_op_ld.sum";

// What each mistake usually means in this lab.
lab::Hints hints(int width, int height) {
  const bool empty = width == 0 || height == 0;
  return {
      {"out-of-bounds",
       "Tiles at the right and lower edge hang over it. Going in, x must be below width and y "
       "below height; going out,\nthe roles are exchanged: out has height columns and width rows, "
       "so its rows are height elements long. In shared\nmemory, both indices must be below the "
       "tile's size, and dynamic shared memory is sized in bytes."},
      {"global-race",
       "Two threads write to the same element of out, which must be written once. A barrier would "
       "not help: look at the\nindex. A row of out has height elements, x must stay below height "
       "and y below width, and a tile goes where its\ntwo block indices have changed places."},
      {"uninitialised-read",
       "Something was taken out of the tile that nobody had put in yet. Between the two stands "
       "__syncthreads(), for all\nthreads of the block; and what is written to out must come from "
       "inside the matrix."},
      {"shared-race",
       "A thread takes out of the tile what another one puts in, and nothing makes it wait: "
       "between the two parts stands\n__syncthreads()."},
      {"barrier-divergence",
       "Every thread of the block must come to __syncthreads(). Put it outside of every if, and "
       "let no thread return\nbefore it: who has nothing to read may still have something to "
       "write."},
      {"launch-error",
       empty ? "An empty matrix would make an empty grid, and that is an error: return before the "
               "launch."
             : "The device refused the launch. A grid has a block for every tile, those that hang "
               "over the edge as well: round up.\nA block has at most 1024 threads; a grid's y "
               "ends at 65 535; shared memory is asked for in bytes."},
  };
}

// What the first element that is wrong tells about the tile it came from.
std::string guess(const std::vector<float>& in, const lab::Mismatch& mismatch, int width,
                  int height) {
  if (mismatch.unwritten)
    return "\nSome of out was never written. In out, the block's two indices change places: the "
           "tile that begins at column\n64 * bx and row 64 * by of in goes to column 64 * by and "
           "row 64 * bx. And so do the bounds.";
  const int tile = 64;
  const int row = static_cast<int>(mismatch.index / height);
  const int column = static_cast<int>(mismatch.index % height);
  const int x = row / tile * tile + column % tile, y = column / tile * tile + row % tile;
  if (x < width && y < height && in[std::size_t(y) * width + x] == mismatch.got)
    return "\nThe tile is in its place, and it was not turned about: going out, a warp takes a "
           "column of the tile, and not a row.";
  return "";
}

profile::Report matrix_case(int width, int height) {
  return lab::trial(
      "width " + std::to_string(width) + ", height " + std::to_string(height),
      [width, height] {
        const std::size_t size = std::size_t(width) * height;
        const auto in = lab::random_vector(size, -1.f, 1.f);
        std::vector<float> expected(size);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x)
            expected[std::size_t(x) * height + y] = in[std::size_t(y) * width + x];

        lab::Buffer<float> device_in("in", in), device_out("out", size);
        transpose(width, height, device_in.get(), device_out.get());
        if (const auto mismatch = lab::first_mismatch(device_out.read(), expected, lab::exact))
          lab::fail(lab::describe("out", *mismatch, size) + guess(in, *mismatch, width, height));
        lab::expect_equal("in (which is only read)", device_in.read(), in);
      },
      hints(width, height));
}

}  // namespace

void lab::checks() {
  matrix_case(0, 5);
  matrix_case(5, 0);
  matrix_case(1, 1);
  matrix_case(32, 32);
  matrix_case(31, 31);
  matrix_case(33, 33);
  matrix_case(64, 32);
  matrix_case(63, 65);
  matrix_case(65, 64);
  matrix_case(1, 1000);
  matrix_case(1000, 1);
  matrix_case(100, 37);
  matrix_case(2, 70000);  // more rows than a grid's y goes
  matrix_case(lab::random_value(40, 90), lab::random_value(100, 200));
  lab::refused_launch([] {
    lab::Buffer<float> in("in", std::vector<float>(12, 1.f)), out("out", 12);
    transpose(3, 4, in.get(), out.get());
  });

  // Counted where every tile is whole, so that a gate needs no allowance for the edges.
  const int width = 256, height = 128;
  const profile::Report report = matrix_case(width, height);
  const double warps = width * height / 32.0;  // of elements
  auto for_each = [&report](double count, const char* name) -> std::optional<double> {
    if (const auto total = report.total(name)) return *total / count;
    return std::nullopt;
  };

  lab::gate({.name = "kernels launched",
             .measured = static_cast<double>(report.kernels.size()),
             .limit = lab::exactly(1),
             .good = 1,
             .good_when = "when one kernel carries every tile",
             .naive = 0,
             .naive_when = "when the host transposes",
             .advice = "The work is the device's: transpose launches one kernel, once.",
             .from_counters = false});
  lab::gate({.name = "sectors loaded for 32 elements",
             .measured = for_each(warps, counter::load_sectors),
             .limit = lab::exactly(4),
             .good = 4,
             .good_when = "when a warp reads along a row of in, each element once",
             .naive = 32,
             .naive_when = "when a warp reads down a column",
             .advice = "Let threadIdx.x run along the row of in: in[y * width + x] with x = … + "
                       "threadIdx.x."});
  lab::gate({.name = "sectors stored for 32 elements",
             .measured = for_each(warps, counter::store_sectors),
             .limit = lab::exactly(4),
             .good = 4,
             .good_when = "when a warp writes along a row of out, each element once",
             .naive = 32,
             .naive_when = "when each lane writes to a row of its own",
             .advice = "A row that was read must not be written as a column of out. Bring the tile "
                       "into shared memory,\nand there take a column: threadIdx.x runs along the "
                       "row of out as well."});
  lab::gate({.name = "bytes read from shared memory for an element",
             .measured = for_each(width * height, shared_bytes_read),
             .limit = lab::at_least(4),
             .good = 4,
             .good_when = "when every element goes through the tile",
             .naive = 0,
             .naive_when = "when a thread writes what it has read itself",
             .advice = "Put the tile into a __shared__ array, wait, and let other threads take it "
                       "out."});
  lab::gate({.name = "bank conflicts",
             .measured = report.total(shared_conflicts),
             .limit = lab::exactly(0),
             .good = 0,
             .good_when = "when the 32 elements of a column lie in 32 banks",
             .naive = 31 * warps,
             .naive_when = "when they lie in one: rows of exactly 32 or 64 floats",
             .advice =
                 "Word w of shared memory lies in bank w mod 32. With rows of 32 or 64 floats "
                 "a whole column is in one\nbank, and the lanes take turns. Give each row one "
                 "float more than it needs: tile[64][65]."});
}
