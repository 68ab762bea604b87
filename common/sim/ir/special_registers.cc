#include "sim/ir/special_registers.h"

#include <unordered_map>

namespace sim::ir {

std::optional<SpecialRegister> special_register(std::string_view name) {
  using S = Special;
  static const std::unordered_map<std::string_view, SpecialRegister> names = {
      {"%tid.x", {S::tid_x, 4}},
      {"%tid.y", {S::tid_y, 4}},
      {"%tid.z", {S::tid_z, 4}},
      {"%ntid.x", {S::ntid_x, 4}},
      {"%ntid.y", {S::ntid_y, 4}},
      {"%ntid.z", {S::ntid_z, 4}},
      {"%ctaid.x", {S::ctaid_x, 4}},
      {"%ctaid.y", {S::ctaid_y, 4}},
      {"%ctaid.z", {S::ctaid_z, 4}},
      {"%nctaid.x", {S::nctaid_x, 4}},
      {"%nctaid.y", {S::nctaid_y, 4}},
      {"%nctaid.z", {S::nctaid_z, 4}},
      {"%laneid", {S::laneid, 4}},
      {"%warpid", {S::warpid, 4}},
      {"%nwarpid", {S::nwarpid, 4}},
      {"%smid", {S::smid, 4}},
      {"%nsmid", {S::nsmid, 4}},
      {"%gridid", {S::gridid, 8}},
      {"%lanemask_eq", {S::lanemask_eq, 4}},
      {"%lanemask_le", {S::lanemask_le, 4}},
      {"%lanemask_lt", {S::lanemask_lt, 4}},
      {"%lanemask_ge", {S::lanemask_ge, 4}},
      {"%lanemask_gt", {S::lanemask_gt, 4}},
      {"%dynamic_smem_size", {S::dynamic_smem_size, 4}},
      {"%total_smem_size", {S::total_smem_size, 4}},
      {"%envreg1", {S::envreg1, 4}},
      {"%envreg2", {S::envreg2, 4}},
      {"%clock", {S::clock, 4}},
      {"%clock_hi", {S::clock_hi, 4}},
      {"%clock64", {S::clock64, 8}},
      {"%globaltimer", {S::globaltimer, 8}},
      {"%globaltimer_lo", {S::globaltimer_lo, 4}},
      {"%globaltimer_hi", {S::globaltimer_hi, 4}},
  };
  const auto it = names.find(name);
  return it == names.end() ? std::nullopt : std::optional(it->second);
}

bool is_unsupported_special(std::string_view name) {
  for (const std::string_view prefix :
       {"%clusterid", "%nclusterid", "%cluster_", "%is_explicit_cluster", "%pm", "%envreg",
        "%aggr_smem_size", "%reserved_smem_", "%current_graph_exec", "%tid.w", "%ntid.w",
        "%ctaid.w", "%nctaid.w"})
    if (name.starts_with(prefix)) return true;
  return name == "%tid" || name == "%ntid" || name == "%ctaid" || name == "%nctaid";
}

}  // namespace sim::ir
