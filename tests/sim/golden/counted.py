"""The traffic of small kernels: what we count beside what Nsight Compute counted on a real GPU.

    counted.py PROGRAM TABLE      the comparison as JSON, for the manual
                                  (counted_kernels.cu on the simulated GPU, and counted.txt)

Where the two differ, the GPU's compiler makes other machine code than the PTX says; each such
difference stands in REASONS.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from record_counted import COLUMNS

PREDICATED = "ptxas turns a short branch into predicated instructions, and then no branch diverges"
TWICE = "ptxas makes two instructions of a copy that may fill with zeros, one for each way"
COMBINED = "where a warp combines its atomics, ptxas makes the votes, shuffles and sums for it, which no PTX shows"
MOVED = "ptxas makes some constants, and adds halves, with HFMA2.MMA, an instruction that runs on the tensor pipe"
LOOP = "shared memory adds no 64-bit integers: ptxas makes a loop of compare-and-swap"
OFF = ("where a predicate switches lanes of a cp.async off, Nsight Compute counts wavefronts for them, too, from whatever "
       "their registers hold")
# Why, in which columns, and for which kernels.
REASONS = [
    (MOVED, ["tensor_inst", "tensor_inst_hmma"],
     ["grid_stride", "some_lanes", "four_ways", "own_trips", "left_loop", "call", "floats_to_one", "add_to_own",
      "add_strided", "ticket", "add_longs", "swapped", "exchanged", "shared_quads_apart", "shared_for_all",
      "long_local_array", "same_tap", "blurred", "odd_tile", "half_axpy", "local_stack<double, 40>",
      "convolved", "shared_threes", "prefix_sums", "add_doubles", "add_pairs_of_halves", "wrapped",
      "compared_in_loop"]),
    (PREDICATED, ["branches_divergent"],
     ["grid_stride", "guarded", "odd_lanes", "half_warp", "first_lane", "some_lanes", "nested", "early_exit",
      "interleaved_sum", "sequential_sum", "shared_histogram", "shared_tickets", "copied_and_filled",
      "warp_sum", "compacted", "fetched_by_some", "image", "image_by_columns", "one_thread", "by_value",
      "some_of_shared", "stencil", "prefix_sums", "counted_by_block", "add_in_branch", "count_in_branch",
      "add_in_loop", "shared_largest", "shared_marks", "shared_counts_by_some", "copied_by_some"]),
    (COMBINED, ["exchanges"],
     ["add_to_one", "count_in_one", "count_in_block", "largest_of_all", "longs_to_one", "ticket_of_one",
      "marks_of_all", "own_tickets", "shared_adds<two, 1, 1>", "shared_adds<own, 1, 1>",
      "shared_adds<minus_one, 1, 1>", "shared_tickets", "compacted", "count_in_branch"]),
    (TWICE, ["copies_inst"],
     ["copied_and_filled"]),
    (OFF, ["copies_wavefronts"],
     ["copied_by_some"]),
    (LOOP, ["shared_inst_ld", "shared_wavefronts_ld", "shared_wavefronts_atom", "shared_bytes_ld"],
     ["shared_longs"]),
]
# By column and kernel: why they differ.
EXPLAINED = {}
for _why, _columns, _kernels in REASONS:
    for _column in _columns:
        EXPLAINED.setdefault(_column, {}).update(dict.fromkeys(_kernels, _why))


def recorded(table):
    """[(name, {column: count})], in launch order; a count that is not there is zero."""
    for line in Path(table).read_text().splitlines():
        if line.startswith("#"):
            continue
        name, values = line.split(":")
        pairs = (value.split("=") for value in values.split())
        yield name, {**dict.fromkeys(COLUMNS, 0), **{column: int(count) for column, count in pairs}}


def counted(program):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARP_WEFT_")}
        subprocess.run([program], env={**env, "WARP_WEFT_JSON": str(report)}, check=True, stdout=subprocess.DEVNULL)
        for kernel in json.loads(report.read_text())["kernels"]:
            yield kernel["name"], {column: kernel["counters"][metric] for column, metric in COLUMNS.items()}


@dataclass
class Kernel:
    name: str   # in the table
    ours_name: str
    real: dict  # column → count
    ours: dict

    def differences(self):
        return [column for column in COLUMNS if self.ours[column] != self.real[column]]


def compare(program, table):
    return [Kernel(name, ours_name, real, ours)
            for (name, real), (ours_name, ours) in zip(recorded(table), counted(program), strict=True)]


def reason(column, kernel):
    """Why the kernel's count differs; None when nobody knows."""
    return EXPLAINED.get(column, {}).get(kernel)


if __name__ == "__main__":
    print(json.dumps([
        {"kernel": k.name,
         "counters": {COLUMNS[c]: {"real": k.real[c], "ours": k.ours[c], "why": reason(c, k.name)} for c in COLUMNS}}
        for k in compare(*sys.argv[1:3])], indent=1))
