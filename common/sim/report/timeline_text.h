// The timeline as a picture in text and as a trace file for ui.perfetto.dev.
#pragma once

#include <span>
#include <string>

#include "sim/count/timeline.h"
#include "sim/report/style.h"

namespace sim::report {

// One row for each stream; empty when all work was in one.
std::string gantt(std::span<const TimelineEntry> timeline, const Style& style);

// In the Trace Event Format that Chrome made and Perfetto reads. Paths below `root` are relative.
std::string trace(std::span<const TimelineEntry> timeline, const std::string& root);

}  // namespace sim::report
