"""What the stories counted when they ran on the simulated GPU.

The build runs every story once and leaves one JSON file a story, `<chapter>.<story>.json`, with the
kernels, their counters (Nsight Compute's names), the findings and the program's output. The text
names a number by a path, `story/kernel/counter`; the chapter is the page's own.
"""

import json
from pathlib import Path

# Short names for the counters that the text uses most. Any full name works as well.
SHORT = {
    "load requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "load sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "sectors per load": "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
    "store requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "store sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "sectors per store": "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
    "load wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "store wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "bank conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "load conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared bytes": "launch__shared_mem_per_block_static",
    "reduction requests": "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "reduction sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "instructions": "smsp__inst_executed.sum",
    "active lanes": "smsp__average_thread_inst_executed_per_inst_executed.ratio",
    "divergent branches": "smsp__sass_branch_targets_threads_divergent.sum",
    "shared loads": "smsp__sass_inst_executed_op_shared_ld.sum",
    "shared stores": "smsp__sass_inst_executed_op_shared_st.sum",
    "constant loads": "smsp__inst_executed_op_ldc.sum",
    "local loads": "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
    "local stores": "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    "barriers": "sim__inst_executed_op_bar.sum",
    "multiply-adds": "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "occupancy": "sm__maximum_warps_per_active_cycle_pct",
}
LAUNCH = ("grid", "block", "threads", "blocks", "warps", "registers", "local_bytes")

SECTOR_BYTES = 32
# What follows from several counters: a sum of weights times counters.
_SECTORS = [f"l1tex__t_sectors_pipe_lsu_mem_global_op_{kind}.sum" for kind in ("ld", "st", "atom", "red")]
_OPERATION = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
SUMS = {
    "bytes moved": {name: SECTOR_BYTES for name in _SECTORS},
    "operations": {_OPERATION.format(name): 2 if name.endswith("fma") else 1
                   for name in ("fadd", "fmul", "ffma", "dadd", "dmul", "dfma")},
}


class UnknownNumber(Exception):
    """The text asks for a run, a kernel or a number that does not exist."""


class Run:
    """One story's run."""

    def __init__(self, path):
        self.path = Path(path)
        try:
            self.data = json.loads(self.path.read_text())
        except FileNotFoundError:
            known = sorted(p.stem.partition(".")[2] for p in self.path.parent.glob(
                self.path.name.partition(".")[0] + ".*.json"))
            raise UnknownNumber(
                f"no run named {self.path.stem.replace('.', '/', 1)}; this chapter's stories: "
                f"{', '.join(known) or 'none'}") from None

    def kernel(self, name):
        """The one kernel of that name; `name[1]` is its second launch."""
        plain, _, index = name.partition("[")
        launches = [k for k in self.data["kernels"] if _plain(k["name"]) == plain]
        index = int(index.rstrip("]")) if index else 0
        if index >= len(launches):
            known = sorted({_plain(k["name"]) for k in self.data["kernels"]})
            raise UnknownNumber(f"{self.path.stem}: no launch {name}; kernels launched: {', '.join(known) or 'none'}")
        return launches[index]

    def number(self, kernel, counter):
        if kernel == "timeline":
            return _of_timeline(self.data["timeline"], counter, self.path.stem)
        launch = self.kernel(kernel)
        if counter in LAUNCH:
            return _of_launch(launch, counter)
        if counter in SUMS:
            return sum(weight * launch["counters"].get(name, 0) for name, weight in SUMS[counter].items())
        if counter == "intensity":  # operations in floating point per byte of global memory moved
            return self.number(kernel, "operations") / self.number(kernel, "bytes moved")
        return _counter(launch["counters"], counter, f"{self.path.stem}/{kernel}")

    def per_line(self, kernel, counter):
        """{(file, line): value} for the lines of the kernel that have this counter."""
        full = SHORT.get(counter, counter)
        if full not in self.kernel(kernel)["counters"]:
            self.number(kernel, counter)  # says what is wrong
        result = {}
        for line in self.kernel(kernel)["lines"]:
            value = line.get("counters", line).get(full)
            if value is not None:
                result[line["file"], line["line"]] = value
        return result

    def finding(self, kind, index=0):
        found = [f for f in self.data["findings"] if f["kind"] == kind]
        if index >= len(found):
            known = sorted({f["kind"] for f in self.data["findings"]})
            raise UnknownNumber(f"{self.path.stem}: no finding {kind}[{index}]; found: {', '.join(known) or 'none'}")
        return found[index]


def shown(value):
    """A number as the book prints it: whole where it is whole, thousands apart by a thin space."""
    if isinstance(value, str):
        return value
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", "\u202f")
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _plain(name):
    return name.partition("(")[0].rpartition("::")[2].partition("<")[0]


def _counter(counters, name, where):
    full = SHORT.get(name, name)
    if full not in counters:
        raise UnknownNumber(f"{where}: nothing was counted under the name {name}")
    return counters[full]


def _of_launch(launch, name):
    def product(sizes):
        return sizes[0] * sizes[1] * sizes[2]

    grid, block = ((*launch[part], 1, 1)[:3] for part in ("grid", "block"))
    blocks, threads = product(grid), product(block)
    return {
        "grid": " × ".join(str(n) for n in grid if n > 1) or "1",
        "block": " × ".join(str(n) for n in block if n > 1) or "1",
        "threads": blocks * threads,
        "blocks": blocks,
        "warps": blocks * -(-threads // 32),
        "registers": launch["registers"],
        "local_bytes": launch["local_bytes"],
    }[name]


def _of_timeline(entries, name, where):
    """Facts of the modelled timeline; `story/timeline/overlap` names one."""
    copies = [(e["begin_ns"], e["end_ns"]) for e in entries if e["kind"] in ("copy to device", "copy to host")]
    kernels = [(e["begin_ns"], e["end_ns"]) for e in entries if e["kind"] == "kernel"]
    work = copies + kernels
    if not work:
        raise UnknownNumber(f"{where}: its timeline has neither copies nor kernels")
    facts = {
        "copies": len(copies),
        "kernels": len(kernels),
        "microseconds (model)": round((max(end for _, end in work) - min(begin for begin, _ in work)) / 1000),
        "overlap": _overlap(copies, kernels),
    }
    if name not in facts:
        raise UnknownNumber(f"{where}: a timeline has no {name}; it has {', '.join(facts)}")
    return facts[name]


def _overlap(some, others):
    """The time in which both run, by the smaller of the two's times."""
    edges = sorted({edge for interval in some + others for edge in interval})
    times = {"some": 0, "others": 0, "both": 0}
    for begin, end in zip(edges, edges[1:]):
        runs = [any(b <= begin and end <= e for b, e in side) for side in (some, others)]
        times["some"] += (end - begin) * runs[0]
        times["others"] += (end - begin) * runs[1]
        times["both"] += (end - begin) * all(runs)
    shorter = min(times["some"], times["others"])
    return times["both"] / shorter if shorter else 0
