#!/usr/bin/env python3
"""Writes a stand-in for every function of the CUDA runtime API.

The simulated GPU implements part of cuda_runtime_api.h. A program may use the rest: it must link, be
told by name what is missing, and get cudaErrorNotSupported. The stand-ins are weak, so that a
function which is implemented anywhere in the library replaces its stand-in.

With --default-stream per-thread nvcc calls variants whose names end in _ptds or _ptsz. Each notes that
stream 0 is the thread's own in this call, and goes on to the plain one.

usage: unsupported.py cuda_runtime_api.h OUTPUT.cc
"""

import re
import sys


# What works instead, for functions whose names begin like this; the first that fits.
NEAREST = [
    ("cudaIpc|cudaMemPoolExport|cudaMemPoolImport", "Memory is not shared between processes: work in one process."),
    ("cudaGraphics", "There is no graphics API: copy through cudaMemcpy."),
    ("cudaImportExternal|cudaExternal|cudaDestroyExternal|cudaSignalExternal|cudaWaitExternal|cudaGraph(Add|Exec|)External",
     "Nothing outside the process is imported: use cudaMalloc and events."),
    ("cudaOccupancyMax.*Cluster", "Clusters are not simulated: ask cudaOccupancyMaxActiveBlocksPerMultiprocessor."),
    ("cudaGraphConditional", "Decide on the host which graph to launch."),
    ("cudaDeviceGetNvSci", "Nothing outside the process is waited for: use events."),
    ("cudaGetExportTable", "It is private to NVIDIA's own tools."),
]


def nearest(name: str) -> str:
    return next((text for names, text in NEAREST if re.match(names, name)), "")


def api_names(header: str) -> list[str]:
    declared = set(re.findall(r"CUDARTAPI(?:_CDECL)?\s+(cuda\w+)\s*\(", header))
    return sorted(declared)


def variants(header: str) -> list[tuple[str, str]]:
    found = re.findall(r"#\s*define\s+(cuda\w+)\s+__CUDART_API_(PTDS|PTSZ)\(", header)
    return sorted((name, f"{name}_{suffix.lower()}") for name, suffix in set(found))


def main() -> None:
    header_path, output_path = sys.argv[1:]
    with open(header_path, encoding="utf-8") as f:
        header = f.read()
    names = api_names(header)
    if len(names) < 200:
        sys.exit(f"{header_path}: only {len(names)} functions found; has its form changed?")
    lines = [
        "// Made from the toolkit's cuda_runtime_api.h by unsupported.py.",
        '#include "sim/runtime/unsupported.h"',
        "",
        'extern "C" {',
        *(
            f'__attribute__((weak)) int {name}() {{ return sim::runtime::unsupported("{name}", "{nearest(name)}"); }}'
            for name in names
        ),
        "}",
        "",
        "// The registers that hold arguments are kept; what is on the stack stays there.",
        "#ifdef __aarch64__",
        '#define GO_ON(variant, plain) asm(".weak " #variant "\\n" #variant ":\\n"                    \\',
        '  "stp x29, x30, [sp, -80]!\\nstp x0, x1, [sp, 16]\\nstp x2, x3, [sp, 32]\\n"              \\',
        '  "stp x4, x5, [sp, 48]\\nstp x6, x7, [sp, 64]\\nbl sim_use_per_thread_default\\n"        \\',
        '  "ldp x0, x1, [sp, 16]\\nldp x2, x3, [sp, 32]\\nldp x4, x5, [sp, 48]\\n"                  \\',
        '  "ldp x6, x7, [sp, 64]\\nldp x29, x30, [sp], 80\\nb " #plain "\\n")',
        "#else",
        '#define GO_ON(variant, plain) asm(".weak " #variant "\\n" #variant ":\\n"                    \\',
        '  "push %rdi\\npush %rsi\\npush %rdx\\npush %rcx\\npush %r8\\npush %r9\\nsub $8, %rsp\\n"      \\',
        '  "call sim_use_per_thread_default@PLT\\n"                                               \\',
        '  "add $8, %rsp\\npop %r9\\npop %r8\\npop %rcx\\npop %rdx\\npop %rsi\\npop %rdi\\n"            \\',
        '  "jmp " #plain "@PLT\\n")',
        "#endif",
        'asm(".text");',
        *(f"GO_ON({variant}, {plain});" for plain, variant in variants(header) if plain in names),
        "",
    ]
    with open(output_path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))


if __name__ == "__main__":
    main()
