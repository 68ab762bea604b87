"""./lab bench: solutions and stories on a real GPU, their results and their times.

On a machine with a GPU it builds, grades and times everything. Without one it carries what it built to a
machine that has a GPU and little else (measure.py runs there), through ssh or packed for the way, and shows
the results that come back.
"""

import ctypes
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from . import build, labs, measure
from .labs import ROOT
from .terminal import Failure, note

FOLDER = "warp-weft-bench"  # what the archive unpacks to


def devices():
    """How many CUDA devices the driver of this machine offers."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


def bench(pack=None, show=None, results=None, to_keep=None, host=None):
    if show or to_keep:
        measured = _read(show or to_keep)
        report(measured)
        if to_keep:
            keep(measured)
        return 0
    if not pack and not host and devices() == 0:
        raise Failure("There is no GPU here: the CUDA driver offers no device. Times come from real GPUs only; on this "
                      "machine\n./lab check and ./lab run count what the hardware would do instead. To measure on another "
                      "machine,\nwhere only a driver and Python are needed:\n\n  ./lab bench --on USER@HOST --json results.json\n\n"
                      "or, without ssh:\n\n  ./lab bench --pack bench.tar.xz\n\nand there:\n\n"
                      f"  tar xf bench.tar.xz && python3 {FOLDER}/measure.py results.json\n\n"
                      "./lab bench --show results.json prints what came back, --keep puts it into the book.")
    manifest = _build()
    if pack:
        _pack(manifest, Path(pack))
        print(f"{pack}: {Path(pack).stat().st_size / 1e6:.1f} MB. On the machine with the GPU:\n\n"
              f"  tar xf {Path(pack).name} && python3 {FOLDER}/measure.py results.json\n")
        return 0
    measured = _on(host, manifest) if host else measure.measure(build.BUILD, manifest, note)
    report(measured)  # first: what was measured is seen even if it cannot be written
    if results:
        Path(results).write_text(json.dumps(measured, indent=1) + "\n")
    return 0 if all_right(measured) else 1


def _read(path):
    try:
        return json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise Failure(f"{path} is no result of ./lab bench: {error}") from error


def _build():
    with build.the_only_one():
        env = build.configure()
        build.enable_gpu(env)
        manifest = programs(env)
        wanted = [entry["program"] for kind in ("checks", "drives", "times") for entry in manifest[kind]]
        built = build.build(wanted, env, "building for the GPU")
    if built.failed:
        raise Failure("Not everything builds for the GPU:\n" + "\n".join(built.failed.values()), 1)
    return manifest


def programs(env):
    """What Meson builds for a real GPU, by what it is for."""
    folder = build.BUILD / "meson-info"
    checks = []
    for test in json.loads((folder / "intro-tests.json").read_text()):
        suites = {suite.rpartition(":")[2] for suite in test["suite"]}
        if "gpu" in suites and suites & {"reference", "steps"}:
            options = dict(zip(test["cmd"], test["cmd"][1:]))
            checks.append({"lab": options["--lab"], "variant": options["--variant"], "suite": options["--suite"],
                           "program": _relative(test["cmd"][-1])})
    drives, times = [], []
    chapters = sorted({lab.chapter for lab in labs.find([])})
    for target in json.loads((folder / "intro-targets.json").read_text()):
        kind, _, rest = target["name"].partition("-")
        chapter = next((c for c in chapters if rest.startswith(c + "-")), None)
        if target["type"] != "executable" or kind not in ("drive", "time") or chapter is None:
            continue
        rest, path = rest[len(chapter) + 1:], _relative(target["filename"][0])
        if kind == "drive":
            drives.append({"chapter": chapter, "name": rest, "program": path})
        else:
            lab, _, variant = rest.rpartition("-")
            times.append({"chapter": chapter, "lab": lab, "variant": variant, "program": path})
    return {"commit": _commit(), "toolkit": _toolkit(env), "checks": checks, "drives": drives, "times": times}


def _relative(path):
    return str((build.BUILD / path).relative_to(build.BUILD))


def _commit():
    asked = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=10"],
                           capture_output=True, text=True)
    return asked.stdout.strip() or "unknown"


def _toolkit(env):
    asked = subprocess.run([env["WARP_WEFT_NVCC"], "--version"], capture_output=True, text=True)
    return next((line.rsplit("V", 1)[-1] for line in asked.stdout.splitlines() if "release" in line), "unknown")


def _on(host, manifest):
    """There and back through one ssh: the archive goes in, progress and results come out."""
    with tempfile.TemporaryDirectory() as work:
        archive = Path(work, "bench.tar.xz")
        _pack(manifest, archive)
        there = f"tar xJf - && python3 {FOLDER}/measure.py {FOLDER}/results.json >&2 && cat {FOLDER}/results.json"
        with open(archive, "rb") as goes:
            done = subprocess.run(["ssh", host, there], stdin=goes, stdout=subprocess.PIPE)
    if done.returncode:
        raise Failure(f"Measuring on {host} failed (exit code {done.returncode}); what was said is above. It needs ssh, "
                      "tar, Python and a CUDA driver there.", 1)
    return json.loads(done.stdout)


def _pack(manifest, archive):
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work, FOLDER)
        for kind in ("checks", "drives", "times"):
            for entry in manifest[kind]:
                target = folder / entry["program"]
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(build.BUILD / entry["program"], target)
                subprocess.run(["strip", target], check=False, stderr=subprocess.DEVNULL)  # only for its size
        cli = ROOT / "common/cli"
        shutil.copytree(cli, folder / "cli", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy2(cli / "measure.py", folder / "measure.py")
        (folder / "manifest.json").write_text(json.dumps(manifest, indent=1))
        with tarfile.open(archive, "w:xz") as tar:
            tar.add(folder, FOLDER)


# ---- What came out ----

def all_right(measured):
    return (all(check["status"] == "passed" for check in measured["checks"])
            and all(drive["passed"] for drive in measured["drives"]) and not measured["failed"])


RATES = (("operations", "TFLOP/s", 1e12), ("link", "GB/s", 1e9), ("bytes", "GB/s", 1e9),
         ("loads", "billion loads/s", 1e9))


def work_of(time):
    """(what was done, unit of its rate, scale): operations where they outweigh the bytes by far."""
    for what, unit, scale in RATES:
        if time[what] and not (what == "operations" and time[what] < 100 * time["bytes"]):
            return what, unit, scale
    return RATES[-1]


def rate(time):
    what, unit, scale = work_of(time)
    return time[what] / time["milliseconds"] * 1e3 / scale, unit


def report(measured):
    print(f"{measured['device']}, driver {measured['driver']}, CUDA {measured['toolkit']}, {measured['date']}, "
          f"commit {measured['commit']}\n")
    for check in measured["checks"]:
        if check["status"] != "passed":
            print(f"  {check['lab']} ({check['variant']}): {check['headline']}")
    for drive in measured["drives"]:
        if not drive["passed"]:
            print(f"  {drive['chapter']}/{drive['name']}: {drive['said']}")
    for failed in measured["failed"]:
        print(f"  {failed['program']}: no time: {failed['said']}")
    if all_right(measured):
        print(f"All {len(measured['checks'])} checks passed, and {len(measured['drives'])} programs gave right results.\n")
    for time in measured["times"]:
        speed, unit = rate(time)
        library = next((t["milliseconds"] for t in measured["times"] if t["variant"] == "library"
                        and (t["chapter"], t["lab"]) == (time["chapter"], time["lab"])), None)
        share = f"{100 * library / time['milliseconds']:4.0f}% of the library" if library else ""
        if work_of(time)[0] == "bytes":
            copy = time["copied"] / time["copy_milliseconds"] / 1e6
            share = f"{100 * speed / copy:4.0f}% of the copy  {share}"
        name = f"{time['chapter']}/{time['lab']} {time['row'] or time['variant']}"
        print(f"{name:44} {time['milliseconds']:9.3f} ms {speed:8.1f} {unit:15} {share}".rstrip())


def keep(measured):
    """Writes docs/measurements: a file for each lab, a row for each version, as the book reads them."""
    folder = ROOT / "docs/measurements"
    folder.mkdir(exist_ok=True)
    for lab in dict.fromkeys(time["lab"] for time in measured["times"]):
        times = [time for time in measured["times"] if time["lab"] == lab]
        what, unit, scale = work_of(times[0])
        rows = {time["row"] or time["variant"]: _row(time["milliseconds"], time["lowest"], time["highest"], what, time[what])
                for time in times}
        if what == "bytes":  # the copy that took turns with the last of them, for as many bytes
            last = times[-1]
            share = last["bytes"] / last["copied"]
            rows["copy"] = _row(*(share * last[f"copy_{key}"] for key in ("milliseconds", "lowest", "highest")), what,
                                last["bytes"])
        where = {key: measured[key] for key in ("device", "driver", "toolkit", "date", "commit")}
        text = json.dumps({**where, "repetitions": times[0]["repetitions"], "statistic": "median", "of": times[0]["of"],
                           "rate": {"of": what, "unit": unit, "scale": scale}, "rows": rows}, indent=1, ensure_ascii=False)
        (folder / f"{lab}.json").write_text(text + "\n")


def _row(median, lowest, highest, what, amount):
    return {"milliseconds": round(median, 4), "lowest": round(lowest, 4), "highest": round(highest, 4), what: round(amount)}
