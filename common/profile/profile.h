// What a device can tell about the kernels that ran on it: one small interface with two
// implementations, the simulated GPU's (profile_sim.cc) and a real one's (profile_cupti.cc).
//
// A Region is a stretch of host code. Its Report holds the kernels launched in it, in launch order,
// and the mistakes the device saw. Not every device can tell everything: ask can_count() and
// checks_memory() before reading silence as good news.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace profile {

// Nsight Compute's full names of the counters that the labs use most.
namespace counter {
inline constexpr const char* instructions = "smsp__inst_executed.sum";
inline constexpr const char* thread_instructions = "smsp__thread_inst_executed.sum";
inline constexpr const char* load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
inline constexpr const char* load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
inline constexpr const char* store_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
inline constexpr const char* store_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
inline constexpr const char* load_bytes = "smsp__sass_data_bytes_mem_global_op_ld.sum";
inline constexpr const char* store_bytes = "smsp__sass_data_bytes_mem_global_op_st.sum";
inline constexpr const char* atomic_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum";
inline constexpr const char* reduction_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum";
inline constexpr const char* shared_loads = "smsp__sass_inst_executed_op_shared_ld.sum";
inline constexpr const char* shared_stores = "smsp__sass_inst_executed_op_shared_st.sum";
inline constexpr const char* block_barriers = "sim__inst_executed_op_bar.sum";
inline constexpr const char* warps = "smsp__warps_launched.sum";
}  // namespace counter

struct Line {
  std::string file;
  int line = 0;
  std::map<std::string, double> counters;
};

struct Kernel {
  std::string name;  // demangled, without parameters
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t registers = 0;                          // per thread
  std::uint32_t static_shared = 0, dynamic_shared = 0;  // bytes per block
  std::uint32_t local_bytes = 0;                        // stack frame per thread
  std::uint32_t spill_stores = 0, spill_loads = 0;      // bytes per thread
  double theoretical_occupancy = 0;                     // 0 … 1
  std::map<std::string, double> counters;               // empty where the device cannot count
  std::vector<Line> lines;
};

struct Place {
  std::uint32_t x = 0, y = 0, z = 0;
};

// A mistake that the device saw (severity "error"), or advice, which never fails a check.
struct Finding {
  std::string kind{}, severity{};
  std::string message{}, advice{};  // what happened; why it matters and what to look at next
  std::string file{};               // empty when unknown
  int line = 0;
  std::string kernel{};
  std::optional<Place> block{}, thread{};
  std::optional<std::uint64_t> address{};
  std::string access{};  // "read", "write" or empty
  std::uint32_t bytes = 0;
  std::uint64_t occurrences = 1;
};

// One thing that the device did, on a modelled clock: it shows order and overlap, not speed.
struct Operation {
  std::string kind{};  // "kernel", "copy to device", "copy to host", "copy on device", "fill", …
  std::string name{};  // the kernel's, or the call's
  std::uint32_t stream = 0;  // 0: the default stream; then in the order of their creation
  std::uint64_t begin_ns = 0, end_ns = 0;
  std::uint64_t bytes = 0;
  bool pageable = false;  // a copy from or to memory that is not pinned
};

// Calls that the host made.
struct Calls {
  std::uint64_t kernel_launches = 0;  // not those that graphs made
  std::uint64_t graph_launches = 0;
  std::uint64_t synchronisations = 0;  // of the device, a stream or an event
};

struct Report {
  std::vector<Kernel> kernels;
  std::vector<Finding> findings;
  std::vector<Operation> timeline{};  // empty where the device does not tell
  // The time in which copies and kernels run at once, by the smaller of the two's times: 0 when one
  // always waits for the other, 1 when the shorter is hidden. Absent where the device does not
  // tell.
  std::optional<double> overlap{};
  std::optional<Calls> calls{};

  // The sum of a counter over all kernels; nothing if no kernel has it.
  std::optional<double> total(const std::string& counter) const;
  // One total by another, such as sectors by requests; nothing if the second is absent or zero.
  std::optional<double> ratio(const std::string& above, const std::string& below) const;
};

class Region {
 public:
  Region();  // begins here
  ~Region();
  Report end();  // waits for the device, then tells what happened since

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The program reports its findings itself; the device need not print them when the process ends.
void take_over_reporting();

bool can_count();      // kernels carry counters
bool has_timeline();   // the report says what ran when, and which calls were made
bool checks_memory();  // every access of a kernel is checked, to the byte
// The next `count`-th allocation from now fails (0: none). False: this device cannot do that.
bool fail_allocation(int count);
bool fail_launch(int count);  // the same for launches

}  // namespace profile
