// The report that a person reads: findings first, then for each kernel what it counted and its
// source with counts in the margin.
#pragma once

#include <cstdio>
#include <span>
#include <string>

#include "sim/check/finding.h"
#include "sim/count/kernel_record.h"
#include "sim/count/timeline.h"
#include "sim/report/source_file.h"
#include "sim/report/style.h"

namespace sim::report {

// All of it; empty when there is nothing to report.
std::string text(std::span<const KernelRecord> kernels, std::span<const check::Finding> findings,
                 const Style& style, std::span<const TimelineEntry> timeline = {});

// Writes it, with colours when `file` is a terminal.
void print(std::FILE* file, std::span<const KernelRecord> kernels,
           std::span<const check::Finding> findings, std::span<const TimelineEntry> timeline = {});

// Its parts.
std::string finding_text(const check::Finding& finding, SourceFiles& files, const Style& style);
std::string counter_table(const KernelRecord& kernel, const Style& style);
std::string annotated_source(const KernelRecord& kernel, SourceFiles& files, const Style& style);

}  // namespace sim::report
