"""Configures and builds with Meson and Ninja, one `lab` at a time, and translates what compilers say.

A learner sees the compiler's own message, with a path that can be clicked, and none of our flags.
"""

import errno
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from . import environment, mutants, terminal
from .labs import ROOT
from .terminal import Failure, note, shown

BUILD = ROOT / "build"
STATE = ROOT / ".cache/lab"
SIM_LIBRARY = "common/sim/libwarpweft_sim.so"


@contextmanager
def the_only_one():
    """Two runs at once would build into each other's files: the second waits, and says so."""
    STATE.mkdir(parents=True, exist_ok=True)
    with open(STATE / "lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):
                raise
            note("Another ./lab is building here; waiting for it…")
            fcntl.flock(file, fcntl.LOCK_EX)
            note("It is done; going on.")
        yield


@dataclass
class Result:
    failed: dict = field(default_factory=dict)    # output that was not built → the tools' messages
    warnings: dict = field(default_factory=dict)  # output that was built with messages → those

    def of(self, target):
        """What the compiler or linker said against a target of tests/meson.build, or None."""
        stem = os.path.basename(target).rsplit("-", 1)[0]
        for output, message in self.failed.items():
            if f"/lib{stem}-kernels.a.p/" in output or output in (target, target.rsplit("-", 1)[0]):
                return message
        return None

    def warnings_of(self, target):
        stem = os.path.basename(target).rsplit("-", 1)[0]
        return next((message for output, message in self.warnings.items()
                     if f"lib{stem}-kernels.a.p/" in output or f"lib{stem}-kernels" in output), None)


def configure(for_the_book=False):
    """Sets up the machine and the build folder where needed; returns the tools' environment."""
    env = environment.prepare(for_the_book)
    nvcc = env["WARP_WEFT_NVCC"]
    config_file = BUILD / "lab.json"
    config = _read_json(config_file)
    has_book = (ROOT / "docs/meson.build").exists()  # a handout has none
    if (BUILD / "build.ninja").exists() and _is_ours(config, nvcc):
        if for_the_book and has_book and not config.get("docs"):  # the book's tools have come since
            note("Setting up the build of the book…")
            _meson(["configure", str(BUILD), "-Ddocs=enabled"], env)
            _meson(["setup", "--reconfigure", "--clearcache", str(BUILD)], env)
            config_file.write_text(json.dumps(config | {"docs": True}))
        elif _mutants_changed():
            _meson(["setup", "--reconfigure", str(BUILD)], env)
        return env
    if BUILD.exists():
        shutil.rmtree(BUILD)
    STATE.mkdir(parents=True, exist_ok=True)
    native = STATE / "nvcc.ini"  # the absolute path: Meson must not find another nvcc
    native.write_text(f"[binaries]\ncuda = '{nvcc}'\n")
    note(f"Setting up the build with {nvcc}…")
    _meson(["setup", str(BUILD), str(ROOT), "--native-file", str(native),
            f"-Ddocs={'enabled' if for_the_book else 'auto'}"], env)
    config_file.write_text(json.dumps({"nvcc": nvcc, "docs": for_the_book}))
    return env


def enable_gpu(env):
    """Lets every lab be linked with the real CUDA runtime, too."""
    config = _read_json(BUILD / "lab.json")
    if not config.get("gpu"):
        _meson(["configure", str(BUILD), "-Dgpu=enabled"], env)
        _meson(["setup", "--reconfigure", str(BUILD)], env)
        (BUILD / "lab.json").write_text(json.dumps(config | {"gpu": True}))


def _mutants_changed():
    """Meson does not notice a new file in a folder."""
    known = BUILD / "tests/mutants.txt"
    return known.exists() and known.read_text() != mutants.all_below(ROOT / "tests/mutants")


def _is_ours(config, nvcc):
    """Was the folder configured for this place and, if `lab` did it, for this nvcc?"""
    info = _read_json(BUILD / "meson-info/meson-info.json")
    source = info.get("directories", {}).get("source")
    return source == str(ROOT) and config.get("nvcc", nvcc) == nvcc


def _read_json(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


def _meson(arguments, env):
    command = [str(environment.VENV / "bin/python"), "-m", "mesonbuild.mesonmain", *arguments]
    answer = in_group(command, env)
    if answer.code:
        check_disk(answer.output)
        raise Failure("Setting up the build failed. Meson says:\n"
                      + _indent(answer.output.strip().splitlines()[-15:])
                      + f"\n\nThe full log is {shown(BUILD / 'meson-logs/meson-log.txt')}.")


def build(targets, env, what="building"):
    """Builds Meson targets (all, if none is named), going on after errors. Returns a Result."""
    command = [str(environment.VENV / "bin/ninja"), "-C", str(BUILD), "-k", "0", *targets]
    terminal.start_progress()

    def show(line):
        step = re.match(r"\[(\d+/\d+)\] (.*)", line)
        if step:
            terminal.progress(f"{what} [{step[1]}] {_short(step[2])}")

    answer = in_group(command, env, show)
    terminal.clear_progress()
    check_disk(answer.output)
    result = parse(answer.output)
    if answer.code and not result.failed:
        raise Failure("The build failed. Ninja says:\n" + _indent(answer.output.strip().splitlines()[-15:]))
    return result


def rpath():
    """Linker options for a program outside build/: where it finds the simulated GPU."""
    return ["-Xlinker", "-rpath", "-Xlinker", str((BUILD / SIM_LIBRARY).parent)]


@dataclass
class _Answer:
    code: int
    output: str


def in_group(command, env, each_line=lambda line: None):
    """Runs a tool to its end. Interrupted, it interrupts the tool and all that the tool started."""
    lines = []
    process = subprocess.Popen(command, env=env, text=True, errors="replace", cwd=ROOT,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        for line in process.stdout:
            lines.append(line)
            each_line(line)
        return _Answer(process.wait(), "".join(lines))
    except BaseException:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        raise


def _short(step):
    """A step of Ninja as a learner may read it."""
    step = re.sub(r"(\S*/)?lib(\S+)\.(a|so)\.p/\S*?([^/_\s]+\.(cu|cc))\.o", r"\4", step)
    return step.replace("Compiling Cuda object", "compiling").replace("Compiling C++ object", "compiling")


def parse(output):
    """Ninja's output, taken apart by step."""
    result = Result()
    current, message, failed = None, [], False

    def close():
        text = clean("\n".join(message))
        if failed:
            result.failed[current] = text
        elif current and text:
            result.warnings[current] = text

    skip_command = False
    for line in output.splitlines():
        step = re.match(r"\[\d+/\d+\] (.*)", line)
        failure = re.match(r"FAILED: (?:\[code=\d+\] )?(.*?)\s*$", line)
        if step or line.startswith("ninja: "):
            close()
            current, message, failed = (step[1].split()[-1] if step else None), [], False
        elif failure:
            current, failed, skip_command = failure[1], True, True
        elif skip_command:
            skip_command = False  # the command line: ours, not the learner's
        else:
            message.append(line)
    close()
    return result


def clean(message, folder=None):
    """A compiler's message with paths as seen from the user's folder, in the form file:line."""
    base = str(folder or BUILD)

    def visible(match):
        return shown(os.path.join(base, match[0]))

    lines = []
    for line in message.splitlines():
        if re.match(r"\d+ errors? detected in the compilation of|Remark: The warnings can be suppressed", line):
            continue
        line = re.sub(r"(?<![\w/])\.\./[^():\"'`]*?\.(?:cu|cuh|cc|h)\b", visible, line)
        lines.append(re.sub(r"^(\S.*?)\((\d+)\): (error|warning)( #\S+)?: ", r"\1:\2: \3: ", line))
    text = "\n".join(lines).strip("\n")
    undefined = sorted(set(re.findall(r"undefined reference to [`'‘](.+?)['’]", text)))
    if undefined:
        return "\n".join(f"{name} is declared and used by the checks, but your file does not define it "
                         "with exactly these parameters." for name in undefined)
    return text


def check_disk(output):
    if "No space left on device" in output or "Disk quota exceeded" in output:
        raise OSError(errno.ENOSPC, "No space left on device")


def _indent(lines):
    return "\n".join("  | " + line for line in lines)
