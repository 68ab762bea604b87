#include "sim/runtime/mask_rehearsal.h"

#include <memory>

#include "sim/check/initcheck.h"
#include "sim/check/racecheck.h"
#include "sim/check/synccheck.h"
#include "sim/runtime/host_lines.h"

namespace sim::runtime {

MaskRehearsal::MaskRehearsal(const exec::Launch& launch, const exec::Machine& machine) {
  check::Racecheck racecheck(source_line);
  check::Synccheck synccheck;
  // A fork takes back what it noted as written.
  const std::unique_ptr<exec::Observer> fork = check::Initcheck(source_line).fork();
  auto& initcheck = static_cast<check::Initcheck&>(*fork);
  std::vector<exec::Observer*> observers{&masks_, &racecheck, &synccheck, &initcheck};
  exec::rehearse(launch, machine, observers);
  for (const std::vector<check::Finding>& found :
       {synccheck.findings(), racecheck.findings(), initcheck.findings()})
    for (const check::Finding& f : found)
      if (f.kind != check::Kind::uninitialised_read) seen_.push_back(f);
}

}  // namespace sim::runtime
