// The text report, as a person sees it.
#include "sim/report/text.h"

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "report/records.h"

using sim::KernelRecord;
using sim::check::Finding;
using sim::report::Style;
using sim::test::copy_kernel;
using sim::test::missing_bounds_check;

namespace {

namespace fs = std::filesystem;

// A source file in a folder of its own, which is the report's working directory.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("report-" + std::to_string(::getpid()));
  Style style;

  Folder() {
    fs::create_directories(path);
    std::ofstream(path / "k.cu") << "#include \"k.h\"\n"
                                    "__global__ void copy(const float* x, float* y) {\n"
                                    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "  y[i] = x[i];\n"
                                    "}\n";
    style.directory = path.string();
  }
  ~Folder() { fs::remove_all(path); }
  std::string file() const { return (path / "k.cu").string(); }
};

std::string report_text(const std::vector<KernelRecord>& kernels,
                        const std::vector<Finding>& findings, const Style& style) {
  return sim::report::text(kernels, findings, style);
}

}  // namespace

TEST_CASE("nothing to report is no text") { CHECK(report_text({}, {}, Style{}) == ""); }

TEST_CASE("a finding: what, where, the line, and what to do") {
  const Folder folder;
  CHECK(report_text({}, {missing_bounds_check(folder.file())}, folder.style) ==
        R"(error: out-of-bounds in kernel copy<float>
  at k.cu:4
  Thread 1 of block 1 writes 4 bytes just past the end of the 132-byte array.
         2 | __global__ void copy(const float* x, float* y) {
         3 |   const int i = blockIdx.x * blockDim.x + threadIdx.x;
  >      4 |   y[i] = x[i];
         5 | }
  31 accesses at this line were wrong in the same way; this is the first.
    array allocated at /home/ada/main.cu:20
  Compare the thread's index with the number of elements.

)");
}

TEST_CASE("a kernel: shape, counters with their names, source with counts in the margin") {
  const Folder folder;
  CHECK(report_text({copy_kernel(folder.file())}, {}, folder.style) ==
        R"(copy<float>
  grid 2, block 32, 12 registers, 0 B shared, theoretical occupancy 50%
  instructions
    executed              12  smsp__inst_executed.sum
    active lanes          32  smsp__average_thread_inst_executed_per_inst_executed.ratio
    predicated on      26.67  smsp__average_thread_inst_executed_pred_on_per_inst_executed.ratio
    mix: integer 80%, memory 20%
  global loads
    requests               2  l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    sectors                9  l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    per request         4.50  l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio
    bytes/sector       28.44  smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio
  instr  lanes  sect/req    line | k.cu
      8     32                 3 |   const int i = blockIdx.x * blockDim.x + threadIdx.x;
      4     16       4.5       4 |   y[i] = x[i];

)");
}

TEST_CASE("launches of one shape are shown once") {
  const Folder folder;
  const KernelRecord k = copy_kernel(folder.file());
  const std::string three = report_text({k, k, k}, {}, folder.style);
  CHECK(three.find("copy<float> (3 launches, each:)\n") == 0);
  CHECK(three.find("    executed              12  ") != std::string::npos);

  SUBCASE("and added up when they counted differently") {
    KernelRecord other = k;
    other.counters[sim::count::metric::inst_executed] = 20;
    const std::string two = report_text({k, other}, {}, folder.style);
    CHECK(two.find("copy<float> (2 launches, together:)\n") == 0);
    CHECK(two.find("    executed              32  ") != std::string::npos);
  }
  SUBCASE("but not launches of another shape") {
    KernelRecord other = k;
    other.grid = {3, 1, 1};
    const std::string two = report_text({k, other}, {}, folder.style);
    CHECK(two.find("launches") == std::string::npos);
    CHECK(two.find("grid 3, block 32") != std::string::npos);
  }
}

TEST_CASE("no line is wider than the page") {
  const Folder folder;
  KernelRecord k = copy_kernel(folder.file());
  k.name = std::string(300, 'k');
  for (auto& [name, value] : k.counters) value = 123'456'789;
  Finding f = missing_bounds_check(folder.file());
  f.message = std::string(40, 'a') + " " + std::string(90, 'b') + " " + std::string(30, 'c');
  const std::string all = report_text({k}, {f}, folder.style);
  std::size_t begin = 0;
  while (begin < all.size()) {
    const std::size_t end = all.find('\n', begin);
    CAPTURE(all.substr(begin, end - begin));
    CHECK(sim::report::columns_of(std::string_view(all).substr(begin, end - begin)) <=
          sim::report::page_width);
    begin = end + 1;
  }
}

TEST_CASE("a source file that is gone leaves the numbers") {
  Style style;
  const std::string gone =
      report_text({copy_kernel("/nowhere/k.cu")}, {missing_bounds_check("/nowhere/k.cu")}, style);
  CHECK(gone.find("at /nowhere/k.cu:4\n") != std::string::npos);
  CHECK(gone.find("      4     16       4.5       4 | \n") != std::string::npos);
}
