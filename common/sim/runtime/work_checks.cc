// What may go wrong between streams, and between them and the host: each operation, and each touch
// of memory by the host, goes to streamcheck.
#include <algorithm>

#include "sim/runtime/context.h"
#include "sim/runtime/host_lines.h"

namespace sim::runtime {

std::string Work::name_of_stream(const Operation& o) const {
  std::string name = o.stream == 0 ? "the default stream" : "stream " + std::to_string(o.stream);
  if (has_several_devices()) name += " of device " + std::to_string(o.device);
  return o.in_graph ? "a graph in " + name : name;
}

void Work::check(const Operation& o) {
  if (std::ranges::all_of(o.touched.ranges, [](const check::Ranges& r) { return r.empty(); }))
    return;
  auto action = std::make_shared<check::Action>();
  action->kind = o.action;
  action->what = o.kind == TimelineEntry::Kind::kernel ? "the kernel " + o.name : o.name;
  action->device = o.device;
  action->stream = name_of_stream(o);
  if (o.kind == TimelineEntry::Kind::kernel) action->kernel = o.name;
  action->launch = o.launch;
  action->site = o.site;
  action->serial = o.serial;
  action->line = o.line;
  action->tick = o.tick;
  action->clock = o.clock;
  action->touched = o.touched;
  action->void_wait = o.void_wait;
  streamcheck_.add(action, context_.memory(), context_.findings, context_.marked_findings);
}

void Work::check_host(check::Action action) {
  if (action.what.empty()) action.what = "the host";
  action.serial = ++serials_;
  if (const Operation* inside = Context::host_function()) {  // knows what its stream has done
    action.line = inside->line;
    action.tick = inside->tick;
    action.clock = inside->clock;
  } else {
    action.line = host_line;
    action.tick = ++ticks_[host_line];
    host_.set(host_line, action.tick);
    action.clock = host_;
  }
  streamcheck_.add(std::make_shared<check::Action>(std::move(action)), context_.memory(),
                   context_.findings, context_.marked_findings);
}

HostPages::Opened Work::host_touched(memory::Address address, bool write, void* at) {
  const HostPages::Guard* guard = nullptr;
  const HostPages::Opened opened = pages.open(address, write, guard);
  if (!guard) return opened;
  if (!noted_.insert({at, address / 4096, guard->line, guard->tick}).second) return opened;
  check::Action action;
  action.site = fault_site(at);
  // A message: what its sender did before it is known to the host now.
  if (const check::ActionPtr sender = write ? nullptr : streamcheck_.sender_of(address, host_)) {
    host_.join(sender->clock);
    forget();
  }
  action.kind = check::Action::Kind::host;
  action.touched.of(write ? check::Use::written : check::Use::read) = {{address, address + 1}};
  check_host(std::move(action));
  return opened;
}

// ---- The host's memory that is not guarded ----

// What the program may change there by other work is left alone.
void Work::remember_unguarded(Operation& o) {
  constexpr std::uint64_t most = 1 << 16;
  if (o.pageable && !o.in_graph) return;  // done when the call returns
  const auto meets = [](const check::Bytes& a, const check::Bytes& b) {
    return a.begin < b.end && b.begin < a.end;
  };
  for (const check::Bytes& bytes : o.unguarded) {
    const bool others = std::ranges::any_of(queued_, [&](const auto& entry) {
      const Operation& other = *entry.second;
      if (&other == &o) return false;
      const auto among = [&](const auto& all) {
        return std::ranges::any_of(all, [&](const check::Bytes& b) { return meets(b, bytes); });
      };
      return other.kind == TimelineEntry::Kind::host_function ||
             (other.kind == TimelineEntry::Kind::kernel && !other.guards.empty()) ||
             among(other.touched.of(check::Use::written)) || among(other.unguarded);
    });
    std::vector<std::byte>& copy = o.before.emplace_back();
    if (others) continue;
    const auto* data = reinterpret_cast<const std::byte*>(bytes.begin);
    copy.assign(data, data + std::min(bytes.end - bytes.begin, most));
  }
}

void Work::check_unguarded(const Operation& o) {
  for (std::size_t i = 0; i < o.before.size(); ++i) {
    const std::vector<std::byte>& before = o.before[i];
    const auto* now = reinterpret_cast<const std::byte*>(o.unguarded[i].begin);
    if (std::equal(before.begin(), before.end(), now)) continue;
    context_.report_at(
        o.site, check::Kind::stream_race,
        "The host changed memory that " + o.name + " was given here before the copy was made.",
        "The call that queued the copy returned at once. Wait for it (cudaStreamSynchronize, or an "
        "event recorded after it) before you use the buffer again.");
  }
}

void Work::host_releases(const memory::Allocation& allocation, const char* call) {
  check::Action action;
  action.kind = check::Action::Kind::host_release;
  action.what = call;
  action.site = context_.here();
  action.touched.of(check::Use::written) = {{allocation.begin, allocation.end()}};
  check_host(std::move(action));
}

}  // namespace sim::runtime
