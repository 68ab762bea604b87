// The checks of tiled: right for every shape, empty sums included; the traffic of tiles; through
// shared memory, and without bank conflicts.
#include "tiled.h"

#include "lab/grade.h"

namespace counter = profile::counter;

namespace {

constexpr const char* shared_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
constexpr const char* shared_bytes_read = "smsp__sass_data_bytes_mem_shared_op_ld.sum";
constexpr const char* multiply_adds = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
constexpr const char* multiplications = "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum";

// What each mistake usually means in this lab.
lab::Hints hints(int m, int n) {
  return {
      {"out-of-bounds",
       "Tiles hang over the edges of a and b, too, and over different ones: a's tile needs row < m "
       "and its column below k,\nb's tile needs its row below k and column < n. What lies outside "
       "counts as 0. And c is written where row < m and\ncolumn < n."},
      {"uninitialised-read",
       "An element of a tile is used that nobody has stored. Threads outside of the matrix store "
       "0; and between storing\nand using a tile stands __syncthreads()."},
      {"shared-race",
       "A tile needs two barriers in each round: one when it is loaded, before anybody uses it, "
       "and one when it is used,\nbefore anybody overwrites it."},
      {"barrier-divergence",
       "Every thread of the block must come to every __syncthreads(), also one whose element of c "
       "lies outside: it still\nloads for the others. Let none return early."},
      {"launch-error",
       m == 0 || n == 0
           ? "An empty c would make an empty grid, and that is an error: return before the launch."
           : "The device refused the launch. A block has at most 1024 threads: 32 × 32 is the "
             "largest square."},
  };
}

// A wrong element of c is told with its place in the matrix: which tile, which edge?
void expect_product(const std::vector<float>& got, const std::vector<double>& expected, int n) {
  const auto wrong = lab::first_mismatch(got, expected, {.relative = 1e-5, .absolute = 2e-5});
  if (!wrong) return;
  lab::fail(lab::describe("c", *wrong, expected.size()) + "\nThe first of them is in row " +
            std::to_string(wrong->index / n) + ", column " + std::to_string(wrong->index % n) +
            " of c. A row of a has k floats; a row of b or c has n.");
}

profile::Report product_case(int m, int n, int k) {
  return lab::trial(
      "m " + std::to_string(m) + ", n " + std::to_string(n) + ", k " + std::to_string(k),
      [m, n, k] {
        const auto a = lab::random_vector(std::size_t(m) * k, -1.f, 1.f);
        const auto b = lab::random_vector(std::size_t(k) * n, -1.f, 1.f);
        std::vector<double> expected(std::size_t(m) * n);
        for (int row = 0; row < m; ++row)
          for (int i = 0; i < k; ++i)
            for (int column = 0; column < n; ++column)
              expected[std::size_t(row) * n + column] +=
                  double(a[std::size_t(row) * k + i]) * b[std::size_t(i) * n + column];

        lab::Buffer<float> device_a("a", a), device_b("b", b);
        lab::Buffer<float> device_c("c", expected.size());
        matmul(m, n, k, device_a.get(), device_b.get(), device_c.get());
        expect_product(device_c.read(), expected, n);
        lab::expect_equal("a (which is only read)", device_a.read(), a);
        lab::expect_equal("b (which is only read)", device_b.read(), b);
      },
      hints(m, n));
}

}  // namespace

void lab::checks() {
  product_case(1, 1, 1);
  product_case(0, 5, 3);
  product_case(5, 0, 3);
  product_case(40, 50, 0);  // empty sums are 0
  product_case(32, 32, 32);
  product_case(31, 33, 32);
  product_case(33, 31, 64);
  product_case(32, 32, 33);  // a second round for one element of each row
  product_case(64, 32, 96);
  product_case(1, 100, 300);
  product_case(100, 1, 7);
  product_case(lab::random_value(33, 70), lab::random_value(71, 100), lab::random_value(101, 140));
  lab::refused_launch([] {
    lab::Buffer<float> a("a", std::vector<float>(15, 1.f)), b("b", std::vector<float>(20, 1.f));
    lab::Buffer<float> c("c", 12);
    matmul(3, 4, 5, a.get(), b.get(), c.get());
  });

  // Counted where every tile is whole, so that a gate needs no allowance for the edges.
  const int m = 32, n = 64, k = 96, tile = 32;
  const profile::Report report = product_case(m, n, k);
  const double products = double(m) * n * k;
  const double floats_in_sector = 8;
  const double tiled_sectors = 2 * products / tile / floats_in_sector;

  lab::gate({.name = "kernels launched",
             .measured = static_cast<double>(report.kernels.size()),
             .limit = lab::exactly(1),
             .good = 1,
             .good_when = "when one kernel computes all of c",
             .naive = 0,
             .naive_when = "when the host does",
             .advice = "The work is the device's: matmul launches one kernel, once.",
             .from_counters = false});
  std::optional<double> multiplied;
  if (const auto fused = report.total(multiply_adds))
    multiplied = *fused + report.total(multiplications).value_or(0);
  lab::gate({.name = "multiplications on the device",
             .measured = multiplied,
             .limit = lab::at_least(products),
             .good = products,
             .good_when = "when a kernel computes every product of the sums, m · n · k in all",
             .naive = 0,
             .naive_when = "when the host does",
             .advice = "The sums are computed on the device, from what lies in a and b."});
  lab::gate({.name = "sectors stored",
             .measured = report.total(counter::store_sectors),
             .limit = lab::exactly(m * n / floats_in_sector),
             .good = m * n / floats_in_sector,
             .good_when = "when each element of c is written once, along its rows",
             .naive = double(m) * n,
             .naive_when = "when the lanes of a warp write down a column",
             .advice = "Let threadIdx.x count columns of c, and keep the sum in a register until "
                       "it is complete."});
  lab::gate(
      {.name = "sectors loaded",
       .measured = report.total(counter::load_sectors),
       .limit = lab::at_most(tiled_sectors),
       .good = tiled_sectors,
       .good_when = "when tiles of 32 × 32 are loaded: 2 · m · n · k / 32 floats, 8 in a "
                    "sector",
       .naive = products / 32 * 5,
       .naive_when = "when each thread reads its row and its column itself",
       .advice =
           "Each element of a tile is loaded from global memory by one thread, once, and then "
           "used by 32 of them. Along\nboth a and b, let threadIdx.x be the part of the index "
           "that changes from one float to its neighbour."});
  lab::gate({.name = "bytes read from shared memory",
             .measured = report.total(shared_bytes_read),
             .limit = lab::at_least(sizeof(float) * (double(m) * k + double(k) * n)),
             .good = sizeof(float) * products / 32 * 33,
             .good_when = "when every multiplication takes both of its factors from there",
             .naive = 0,
             .naive_when = "when all factors come from global memory",
             .advice = "Bring the tiles into __shared__ arrays, and read the factors from there."});
  lab::gate({.name = "bank conflicts",
             .measured = report.total(shared_conflicts),
             .limit = lab::exactly(0),
             .good = 0,
             .good_when =
                 "when the lanes read along a row of b's tile, and all the same element of "
                 "a's",
             .naive = products / 32 * 31,
             .naive_when = "when they go down a column: rows of exactly 32 floats",
             .advice = "Look at what changes with threadIdx.x: in tile_b[i][threadIdx.x] the lanes "
                       "read neighbours, in\ntile_b[threadIdx.x][i] they meet in one bank. A tile "
                       "of b that is stored as it lies needs no padding."});
}
