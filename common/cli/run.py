"""./lab run: a lab, or any CUDA program, on the simulated GPU.

The program's own output stays where it was; the simulated GPU adds its report on standard error
(findings, counters per kernel, annotated source, timeline of the streams) and, with --json, as JSON.
With --trace the timeline is written as a file that https://ui.perfetto.dev opens.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from . import build, labs, terminal
from .labs import ROOT
from .terminal import Failure, note, shown

# As meson.build compiles kernels. An -arch or -gencode of the user's replaces the first two.
ARCHITECTURE = ["-gencode", "arch=compute_80,code=[compute_80,sm_80]"]
SEPARATE = r"--?(rdc|relocatable-device-code)(=true)?$|--?(dc|device-c)$"
FLAGS = ["--no-compress", "-lineinfo", "-O3", "-std=c++20", "-Xcompiler=-g,-gdwarf-4,-fno-optimize-sibling-calls,-fno-tree-ter"]


def run(target, nvcc_flags=(), json_file=None, arguments=(), device=None, reference=False, trace=None):
    """Returns the exit code: 1 if there are findings, else the program's own."""
    with tempfile.TemporaryDirectory(prefix="warp-weft-") as folder:
        if target.endswith((".cu", ".cpp", ".cc")) and not _is_a_lab(target):
            program = compile_program(target, nvcc_flags, Path(folder))
        else:
            program = _build_lab(target, nvcc_flags, reference)
        report = Path(folder, "report.json")
        env = {**os.environ, "WARP_WEFT_JSON": str(report), "WARP_WEFT_TEXT": "1",
               "WARP_WEFT_ROOT": str(ROOT)}
        if trace:
            env["WARP_WEFT_TIMELINE"] = os.path.abspath(trace)
        if device:
            env["WARP_WEFT_DEVICE"] = device
        code = _run([str(program), *arguments], env)
        return _conclude(report, code, json_file)


def _is_a_lab(path):
    """A starter or solution has no main(): it runs under its lab's checks."""
    return Path(path).name in ("starter.cu", "solution.cu") and Path(path).resolve().parent.is_relative_to(ROOT)


# What a program may be linked with on a real GPU and not here, by how the names of functions begin.
ELSEWHERE = [
    (r"cu[A-Z]", "The driver API ({name}) is not simulated: the simulated GPU is a CUDA runtime.\n"
                 "Use the runtime's own calls, such as cudaMalloc for cuMemAlloc, and <<<…>>> for cuLaunchKernel."),
    (r"nvrtc", "Compilation at run time ({name}) is not simulated: let nvcc compile the kernel with the program."),
    (r"cuda(GetParameterBuffer|LaunchDevice|CDP|GraphSetConditional)",
     "Kernels that launch kernels or steer graphs ({name}) are not simulated: launch from the host."),
    (r"cublas|cufft|cusparse|cusolver|curand|cudnn|nccl|npp|nvjpeg|nvml",
     "{name} belongs to a library that NVIDIA ships for real GPUs, as machine code. It does not run on the simulated\n"
     "GPU; CUB, Thrust and the device functions of cuRAND come as source, and do."),
]


def link_problem(output):
    """Why a program does not link: the functions that nothing defines, and what to do about them.

    Of functions with the same reason one is named; those of the program's own are all."""
    names = sorted(set(re.findall(r"undefined reference to [`'‘](.+?)['’]", output)))
    if not names:
        return build.clean(output)
    reasons = {}
    for name in names:
        elsewhere = next((text for begin, text in ELSEWHERE if re.match(begin, name)), None)
        if elsewhere:
            reasons.setdefault(elsewhere, elsewhere.format(name=re.sub(r"_v\d+$|_pts[dz]$", "", name)))
        else:
            reasons[name] = f"{name} is used, and no file or library that is linked defines it."
    return "\n".join(reasons.values())


def compile_program(source, nvcc_flags, folder):
    """Compiles one file with nvcc for the simulated GPU; returns the program."""
    if not os.path.exists(source):
        raise Failure(f"There is no file {source}.")
    if any(re.match(SEPARATE, flag) for flag in nvcc_flags):
        raise Failure("Separate compilation (-rdc=true), which kernels that launch kernels need, is not simulated.\n"
                      "Launch from the host, and keep device functions in one file with the kernels that call them.")
    with build.the_only_one():
        env = build.configure()
        problems = build.build([build.SIM_LIBRARY], env, "building the simulated GPU").failed
    if problems:
        raise Failure("The simulated GPU does not build:\n" + "\n".join(problems.values()))
    own_architecture = any(flag.lstrip("-").split("=")[0] in
                           ("arch", "gencode", "gpu-architecture", "generate-code") for flag in nvcc_flags)
    objects, program = folder / "program.o", folder / Path(source).stem
    libraries = [flag for flag in nvcc_flags if flag.startswith(("-l", "-L"))]
    compile_ = [env["WARP_WEFT_NVCC"], *([] if own_architecture else ARCHITECTURE), *FLAGS,
                "-I", str(ROOT / "common"), *(flag for flag in nvcc_flags if flag not in libraries),
                "-c", os.path.abspath(source), "-o", str(objects)]
    # Linked by g++, as the labs are: nvcc would add the real runtime.
    link = ["g++", str(objects), "-o", str(program), *libraries, str(build.BUILD / build.SIM_LIBRARY),
            *build.rpath()]
    terminal.start_progress()
    for command, problem, explain in ((compile_, "compile", build.clean), (link, "link", link_problem)):
        terminal.progress(f"compiling {source}")
        answer = build.in_group(command, env)
        terminal.clear_progress()
        build.check_disk(answer.output)
        message = explain(answer.output.replace(os.path.abspath(source), shown(source)))
        if answer.code:
            raise Failure(f"{shown(source)} does not {problem}:\n{message}", 1)
        if message:
            note(message)
    return program


def _build_lab(name, nvcc_flags, reference):
    if nvcc_flags:
        raise Failure("--nvcc-flag is for a program of your own; a lab is compiled as its checks need it.")
    lab = labs.find_one(name)
    target = lab.program("solution" if reference else "starter")
    with build.the_only_one():
        env = build.configure()
        result = build.build([target], env)
    if result.failed:
        raise Failure(f"{lab.name} does not compile:\n" + (result.of(target)
                                                            or "\n".join(result.failed.values())), 1)
    return build.BUILD / target


def _run(command, env):
    process = subprocess.Popen(command, env=env)
    try:
        return process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise


def _conclude(report_file, code, json_file):
    try:
        report = json.loads(report_file.read_bytes())
    except (OSError, ValueError):
        report = None
    if json_file and report is not None:
        report["exit_code"] = code if code >= 0 else 128 - code
        Path(json_file).write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    if code < 0:
        note(f"The program died of {signal.Signals(-code).name}"
             + ("" if report else ", so there is no report") + ".")
        return 128 - code
    if report is None:
        note("The program left no report: it used no part of the CUDA runtime, or ended with _exit().")
        return code or (2 if json_file else 0)
    errors = [finding for finding in report.get("findings", []) if finding.get("severity") == "error"]
    return 1 if errors else code
