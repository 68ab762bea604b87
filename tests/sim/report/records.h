// A kernel and a finding as a run leaves them, for tests of the reports.
#pragma once

#include "sim/check/finding.h"
#include "sim/count/kernel_record.h"
#include "sim/count/metrics.h"

namespace sim::test {

inline KernelRecord copy_kernel(const std::string& file) {
  count::Sums line_3, line_4;
  line_3[count::Counter::inst_executed] = 8;
  line_3[count::Counter::thread_inst_executed] = 256;
  line_3[count::Counter::thread_inst_executed_pred_on] = 256;
  line_3[count::Counter::mix_integer] = 256;
  line_4[count::Counter::inst_executed] = 4;
  line_4[count::Counter::thread_inst_executed] = 128;
  line_4[count::Counter::thread_inst_executed_pred_on] = 64;
  line_4[count::Counter::mix_memory] = 64;
  line_4[count::Counter::global_requests_ld] = 2;
  line_4[count::Counter::global_sectors_ld] = 9;
  line_4[count::Counter::global_data_bytes_ld] = 256;
  count::Sums total = line_3;
  total += line_4;

  KernelRecord k;
  k.name = "copy<float>";
  k.launch = 1;
  k.grid = {2, 1, 1};
  k.block = {32, 1, 1};
  k.registers = 12;
  k.theoretical_occupancy = 0.5;
  k.counters = total.by_name(true);
  k.lines = {{file, 3, line_3.by_name(false)}, {file, 4, line_4.by_name(false)}};
  return k;
}

inline check::Finding missing_bounds_check(const std::string& file) {
  check::Finding f;
  f.kind = check::Kind::out_of_bounds;
  f.message = "Thread 1 of block 1 writes 4 bytes just past the end of the 132-byte array.";
  f.advice = "Compare the thread's index with the number of elements.";
  f.where = {file, 4};
  f.kernel = "copy<float>";
  f.launch = 1;
  f.block = check::Coordinates{1, 0, 0};
  f.thread = check::Coordinates{1, 0, 0};
  f.address = 0x7000'0084;
  f.access = "write";
  f.bytes = 4;
  f.occurrences = 31;
  f.allocation =
      check::AllocationNote{"", "cudaMalloc", 0x7000'0000, 132, {"/home/ada/main.cu", 20}, {}};
  return f;
}

}  // namespace sim::test
