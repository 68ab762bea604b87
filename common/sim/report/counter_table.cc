// The table of a kernel's counters: the ones that tell something, in groups, with the names that
// Nsight Compute gives them. The JSON report has all.
#include <array>
#include <span>

#include "sim/count/metrics.h"
#include "sim/report/text.h"

namespace sim::report {

namespace {

namespace metric = count::metric;

struct Row {
  const char* label;
  const char* name;
};

struct Group {
  const char* title;
  const char* present;  // shown when this counter is not zero
  std::span<const Row> rows;
};

constexpr std::array<Row, 3> instructions{{
    {"executed", metric::inst_executed},
    {"active lanes", metric::active_threads},
    {"predicated on", metric::active_threads_pred_on},
}};
constexpr std::array<Row, 2> branches{{
    {"executed", metric::branches},
    {"divergent", metric::branches_divergent},
}};
constexpr std::array<Row, 4> global_loads{{
    {"requests", metric::global_requests_ld},
    {"sectors", metric::global_sectors_ld},
    {"per request", metric::global_sectors_per_request_ld},
    {"bytes/sector", metric::global_bytes_per_sector_ld},
}};
constexpr std::array<Row, 4> global_stores{{
    {"requests", metric::global_requests_st},
    {"sectors", metric::global_sectors_st},
    {"per request", metric::global_sectors_per_request_st},
    {"bytes/sector", metric::global_bytes_per_sector_st},
}};
constexpr std::array<Row, 2> atomics{{
    {"requests", metric::global_requests_atom},
    {"per request", metric::global_sectors_per_request_atom},
}};
constexpr std::array<Row, 2> reductions{{
    {"requests", metric::global_requests_red},
    {"per request", metric::global_sectors_per_request_red},
}};
constexpr std::array<Row, 3> shared_loads{{
    {"executed", metric::shared_inst_ld},
    {"wavefronts", metric::shared_wavefronts_ld},
    {"conflicts", metric::shared_conflicts_ld},
}};
constexpr std::array<Row, 3> shared_stores{{
    {"executed", metric::shared_inst_st},
    {"wavefronts", metric::shared_wavefronts_st},
    {"conflicts", metric::shared_conflicts_st},
}};
constexpr std::array<Row, 2> shared_atomics{{
    {"executed", metric::shared_inst_atom},
    {"conflicts", metric::shared_conflicts_atom},
}};
constexpr std::array<Row, 2> local_loads{{
    {"requests", metric::local_requests_ld},
    {"sectors", metric::local_sectors_ld},
}};
constexpr std::array<Row, 2> local_stores{{
    {"requests", metric::local_requests_st},
    {"sectors", metric::local_sectors_st},
}};
constexpr std::array<Row, 1> barriers{{{"of the block", metric::block_barriers}}};
constexpr std::array<Row, 1> warp_barriers{{{"of the warp", metric::warp_barriers}}};

constexpr std::array<Group, 13> groups{{
    {"instructions", metric::inst_executed, instructions},
    {"branches", metric::branches, branches},
    {"global loads", metric::global_requests_ld, global_loads},
    {"global stores", metric::global_requests_st, global_stores},
    {"global atomics", metric::global_requests_atom, atomics},
    {"global reductions", metric::global_requests_red, reductions},
    {"shared loads", metric::shared_inst_ld, shared_loads},
    {"shared stores", metric::shared_inst_st, shared_stores},
    {"shared atomics", metric::shared_inst_atom, shared_atomics},
    {"local loads", metric::local_requests_ld, local_loads},
    {"local stores", metric::local_requests_st, local_stores},
    {"barriers", metric::block_barriers, barriers},
    {"barriers", metric::warp_barriers, warp_barriers},
}};

constexpr std::array<Row, 10> mix{{
    {"fp32", metric::mix_fp32},
    {"fp64", metric::mix_fp64},
    {"fp16", metric::mix_fp16},
    {"integer", metric::mix_integer},
    {"bit", metric::mix_bit},
    {"conversion", metric::mix_conversion},
    {"memory", metric::mix_memory},
    {"control", metric::mix_control},
    {"warp exchange", metric::mix_inter_thread_communication},
    {"other", metric::mix_misc},
}};

// Ten digits and more would push the names off the page; the JSON report has them.
std::string cell(double value) { return value < 1e9 ? number(value) : short_number(value); }

double value(const KernelRecord& k, const char* name) {
  const auto it = k.counters.find(name);
  return it == k.counters.end() ? 0 : it->second;
}

std::string mix_line(const KernelRecord& k) {
  const double all = value(k, metric::thread_inst_executed_pred_on);
  std::string text;
  for (const Row& row : mix) {
    const double share = all > 0 ? 100 * value(k, row.name) / all : 0;
    if (share < 0.5) continue;
    text += (text.empty() ? "mix: " : ", ") + std::string(row.label) + " " +
            std::to_string(static_cast<int>(share + 0.5)) + "%";
  }
  return text.empty() ? text : wrapped(text, "    ");
}

}  // namespace

std::string counter_table(const KernelRecord& k, const Style& style) {
  std::string out;
  for (const Group& g : groups) {
    if (value(k, g.present) == 0) continue;
    out += "  " + std::string(g.title) + "\n";
    for (const Row& row : g.rows)
      out += "    " + padded_right(row.label, 13) + padded_left(cell(value(k, row.name)), 11) +
             "  " + style.dim(row.name) + "\n";
    if (g.present == metric::inst_executed) out += mix_line(k);
  }
  return out;
}

}  // namespace sim::report
