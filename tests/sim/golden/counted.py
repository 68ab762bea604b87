"""The traffic of small kernels: what we count beside what Nsight Compute counted on a real GPU.

    counted.py PROGRAM TABLE      the comparison as JSON, for the manual
                                  (counted_kernels.cu on the simulated GPU, and counted.txt)

Where the two differ, the GPU's compiler makes other machine code than the PTX says; each such
difference stands in EXPLAINED with its reason.
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
SPLIT = "ptxas cannot prove the array's alignment and splits each 16-byte store into four"
GATHERED = ("the GPU's total also has the passes that an asynchronous copy needs to put strided data side by side; "
            "its counts of loads, stores and atomics, which we add up, agree")
# By column: the kernels that differ, and why.
EXPLAINED = {
    "branches_divergent": (PREDICATED, {
        "grid_stride", "guarded", "odd_lanes", "half_warp", "first_lane", "some_lanes", "nested", "early_exit",
        "interleaved_sum", "sequential_sum", "shared_histogram", "shared_tickets", "warp_sum", "compacted",
        "copied_and_filled"}),
    "shared_conflicts": (GATHERED, {"copied_apart<2>"}),
    "local_requests_st": (SPLIT, {"long_local_array"}),
}


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
    why, kernels = EXPLAINED.get(column, (None, ()))
    return why if kernel in kernels else None


if __name__ == "__main__":
    print(json.dumps([
        {"kernel": k.name,
         "counters": {COLUMNS[c]: {"real": k.real[c], "ours": k.ours[c], "why": reason(c, k.name)} for c in COLUMNS}}
        for k in compare(*sys.argv[1:3])], indent=1))
