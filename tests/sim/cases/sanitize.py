"""Runs the cases under NVIDIA's compute-sanitizer on a real GPU and keeps what each tool finds.

usage: sanitize.py OUTPUT.json COMMIT [SECONDS [new]]

Needs nvcc, compute-sanitizer and a GPU. Programs are compiled for this GPU with -lineinfo; each runs
under each of the four tools, the broken ones first, those that hang last. No run is started after SECONDS.
With `new`, only cases that OUTPUT.json does not have yet are run, and added to it. Programs for more devices
than there are GPUs are left out.
"""

import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CASES = Path(__file__).parent
TOOLS = {"memcheck": ["--leak-check", "full"], "racecheck": [], "initcheck": [], "synccheck": []}
FOUND = 77        # exit status of a run in which a tool found something
RUN_LIMIT = 20    # seconds
AT_ONCE = 12


def compile_program(source, variant, folder):
    program = Path(folder, f"{source.stem}-{variant}")
    define = ["-DFIXED"] if variant == "fixed" else []
    done = subprocess.run(["nvcc", "-arch=native", "-lineinfo", "-w", "-std=c++20", *define, source, "-o", program],
                          capture_output=True, text=True)
    return program if done.returncode == 0 else None


def inspect(program, tool, source):
    """What the tool says of the program: how many errors, the first message, the lines it names."""
    command = ["timeout", "-k", "2", str(RUN_LIMIT), "compute-sanitizer", "--tool", tool, *TOOLS[tool],
               "--error-exitcode", str(FOUND), "--print-limit", "20", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    text = [line[9:].strip() for line in done.stdout.splitlines() if line.startswith("=========")]
    messages = [line for line in text if line and not line.startswith(
        ("COMPUTE-SANITIZER", "at ", "by ", "Host Frame", "Saved", "Device Frame", "ERROR SUMMARY", "Target application",
         "LEAK SUMMARY: 0", "RACECHECK SUMMARY", "and is", "Address", "Access", "Nearest", "in "))]
    errors = sum(int(n) for n in re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", done.stdout))
    lines = sorted({int(n) for line in text for n in re.findall(re.escape(source.name) + r":(\d+)", line)})
    return {"found": errors > 0 or done.returncode == FOUND, "errors": errors, "lines": lines,
            "message": messages[0][:160] if messages and errors else ""}


def answer(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def devices_of(source):
    devices = re.search(r"^// devices:\s+([\w,]+)$", source.read_text(), re.M)
    return len(devices[1].split(",")) if devices else 1


def main(output, commit, seconds="200", which="all"):
    end = time.monotonic() + float(seconds)
    known = json.loads(Path(output).read_text())["cases"] if which == "new" else {}
    gpus = len(answer("nvidia-smi", "-L").splitlines())
    sources = sorted(s for s in CASES.glob("*.cu") if s.stem not in known and devices_of(s) <= gpus)
    kind = {s: re.search(r"^// kind:\s+([\w-]+)", s.read_text(), re.M)[1] for s in sources}
    wanted = [(s, "broken") for s in sources] + [(s, "fixed") for s in sources if kind[s] != "none"]
    results = {s.stem: {"kind": kind[s], "broken": {}, "fixed": {}} for s in sources}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as compilers:
        programs = dict(zip(wanted, compilers.map(lambda w: compile_program(*w, folder), wanted)))
        print("compiled", sum(p is not None for p in programs.values()), "of", len(programs), flush=True)
        hangs = [w for w in wanted if w[1] == "broken" and kind[w[0]] == "deadlock"]
        ordered = [w for w in wanted if w not in hangs] + hangs

        def job(task):
            (source, variant), tool = task
            program = programs[source, variant]
            if program is not None and time.monotonic() < end:
                results[source.stem][variant][tool] = inspect(program, tool, source)

        with ThreadPoolExecutor(AT_ONCE) as runners:
            list(runners.map(job, [(w, tool) for w in ordered for tool in TOOLS]))
    version = re.search(r"[Vv]ersion ([\d.]+)", answer("compute-sanitizer", "--version"))
    toolkit = re.search(r"release ([\d.]+)", answer("nvcc", "--version"))
    device, driver = (answer("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader", "-i", "0")
                      .split(", ") + ["", ""])[:2]
    about = {"device": device, "driver": driver, "toolkit": toolkit[1] if toolkit else "",
             "sanitizer": version[1] if version else "", "date": datetime.date.today().isoformat(), "commit": commit}
    # A program that the time did not reach under all four tools is not in the record.
    complete = {name: case for name, case in results.items() if len(case["broken"]) == len(TOOLS)}
    programs = ",\n".join(f"  {json.dumps(name)}: {json.dumps(case)}" for name, case in sorted({**known, **complete}.items()))
    Path(output).write_text(f'{json.dumps(about)[:-1]}, "cases": {{\n{programs}\n}}}}\n')
    missing = sum(len(TOOLS) - len(results[s.stem][v]) for s, v in wanted)
    print("runs left out for want of time:", missing)


if __name__ == "__main__":
    main(*sys.argv[1:])
