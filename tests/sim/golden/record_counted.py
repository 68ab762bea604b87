"""Nsight Compute's output for counted_kernels.cu, as the table counted.txt.

    record_counted.py metrics                     the metrics to ask for, for --metrics
    record_counted.py table NAMES CSV > TABLE     NAMES: what the program printed, a line a launch
"""

import csv
import sys

# The columns of the table, and the counter that each holds.
COLUMNS = {
    **{f"{space}_{what}_{op}": f"l1tex__t_{what}_pipe_lsu_mem_{space}_op_{op}.sum"
       for space, ops in (("global", ("ld", "st", "atom", "red")), ("local", ("ld", "st")))
       for op in ops for what in ("requests", "sectors")},
    **{f"global_bytes_{op}": f"smsp__sass_data_bytes_mem_global_op_{op}.sum" for op in ("ld", "st", "atom", "red")},
    "global_tags": "smsp__sass_l1tex_tags_mem_global.sum",
    **{f"shared_{what}_{op}": name.format(op) for op in ("ld", "st", "atom")
       for what, name in (("inst", "smsp__sass_inst_executed_op_shared_{}.sum"),
                          ("wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"),
                          ("conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"))},
    "shared_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    **{f"shared_bytes_{op}": f"smsp__sass_data_bytes_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")},
    **{f"copies_{what}": f"smsp__sass_{name}.sum" for what, name in
       (("inst", "inst_executed_op_ldgsts"),
        ("wavefronts", "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts"),
        ("conflicts", "l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts"))},
    **{f"texture_{what}": f"l1tex__t_{what}_pipe_tex_mem_texture.sum" for what in ("requests", "sectors")},
    **{f"surface_{what}_{op}": f"l1tex__t_{what}_pipe_tex_mem_surface_op_{op}.sum"
       for op in ("ld", "st", "red") for what in ("requests", "sectors")},
    "tensor_inst": "sm__inst_executed_pipe_tensor.sum",
    **{f"tensor_inst_{op}": f"sm__inst_executed_pipe_tensor_op_{op}.sum" for op in ("hmma", "imma", "dmma")},
    "matrix_inst_ld": "smsp__sass_inst_executed_op_ldsm.sum",
    "matrix_bytes_ld": "smsp__sass_data_bytes_mem_shared_op_ldsm.sum",
    "exchanges": "smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum",
    "branches_divergent": "smsp__sass_branch_targets_threads_divergent.sum",
    "warps": "smsp__warps_launched.sum",
}


def table(names, rows):
    """One line a kernel: its name, then the counters that are not zero."""
    for name, row in zip(names, rows, strict=True):
        kernel = name.split("<")[0]
        if kernel not in row["Kernel Name"]:
            sys.exit(f"record_counted: launch {row['ID']} is {row['Kernel Name']}, not {kernel}")
        values = {column: row.get(metric, "").replace(",", "") for column, metric in COLUMNS.items()}
        absent = [column for column, value in values.items() if value in ("", "n/a")]
        if absent:
            sys.exit(f"record_counted: no value for {absent} of {name}")
        yield name + ":" + "".join(f" {c}={int(float(v))}" for c, v in values.items() if float(v))


if __name__ == "__main__":
    if sys.argv[1:] == ["metrics"]:
        print(",".join(COLUMNS.values()))
    else:
        names = open(sys.argv[2]).read().splitlines()
        lines = [line for line in open(sys.argv[3], newline="") if line.startswith('"')]
        rows = [row for row in csv.DictReader(lines) if row["ID"]]  # the row below the titles holds units
        print("\n".join(table(names, rows)))
