"""Runs one program that may do anything: hang, crash, flood the screen, fork, eat all memory.

The program gets a process group of its own, no input, a time limit, a memory limit and an output
limit; whatever it started is gone when run() returns. How it ended is told apart, because each end
has its own wording for the learner.
"""

import os
import resource
import secrets
import selectors
import signal
import subprocess
import time
from dataclasses import dataclass

KEPT_OUTPUT = 256 * 1024        # bytes of output shown to the learner, at most
FLOOD = 32 * 1024 * 1024        # a program that prints more is stopped
MEMORY = 4 * 1024**3            # resident bytes of the program and all it started
LARGEST_FILE = 1024**3          # a program cannot fill the disk


@dataclass
class Outcome:
    end: str            # "exited", "crashed", "time-out", "flood", "memory", "missing"
    code: int = 0       # exit status, or the signal of a crash
    output: str = ""    # standard output and error together, cut to KEPT_OUTPUT
    seconds: float = 0.0

    @property
    def signal_name(self):
        try:
            return signal.Signals(self.code).name
        except ValueError:
            return f"signal {self.code}"


def run(command, env, seconds, cwd, echo=None, memory=MEMORY, flood=FLOOD):
    """Runs `command` until it ends or breaks a limit. `echo` gets the bytes as they come."""
    mark = secrets.token_hex(8)  # finds runaway children that left the process group
    start = time.monotonic()
    try:
        process = subprocess.Popen(command, env={**env, "WARP_WEFT_RUN": mark}, cwd=cwd,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=_limit)
    except FileNotFoundError:
        return Outcome("missing")
    kept = bytearray()
    try:
        broken = _watch(process, kept, start + seconds, echo, memory, flood)
    finally:
        _end_all(process, mark)
    seconds = time.monotonic() - start
    output = kept[:KEPT_OUTPUT].decode(errors="replace")
    if broken:
        return Outcome(broken, output=output, seconds=seconds)
    if process.returncode < 0:
        return Outcome("crashed", -process.returncode, output, seconds)
    return Outcome("exited", process.returncode, output, seconds)


def _limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))


def _watch(process, kept, deadline, echo, memory, flood):
    """Reads until the program ends; returns the name of the limit it broke, or None."""
    total = 0
    next_look = time.monotonic() + 0.25
    pipe = process.stdout.fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        open_pipe = True
        while True:
            if time.monotonic() > deadline:
                return "time-out"
            if open_pipe and selector.select(0.02):
                data = os.read(pipe, 1 << 16)
                if not data:
                    open_pipe = False
                total += len(data)
                kept += data[:max(0, KEPT_OUTPUT - len(kept))]
                if echo:
                    echo(data)
                if total > flood:
                    return "flood"
                if data and time.monotonic() < next_look:
                    continue
            elif not open_pipe:
                time.sleep(0.005)
            # A child may keep the pipe open: the program's own end is what counts.
            if process.poll() is not None:
                return None
            if time.monotonic() >= next_look:
                next_look = time.monotonic() + 0.25
                if _resident(process.pid) > memory:
                    return "memory"


def _resident(group):
    """Resident bytes of all processes of a process group."""
    stats = [_stat(pid) for pid in _processes()]
    return sum(int(fields[21]) * resource.getpagesize() for fields in stats if fields and int(fields[2]) == group)


def _processes():
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _stat(pid):
    """The fields of /proc/PID/stat after the name: state, parent, process group, …; None if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return None


def _end_all(process, mark):
    """Kills what is left: the process group, and children that left it but carry our mark."""
    mark = f"WARP_WEFT_RUN={mark}".encode()
    left = [pid for pid in _processes() if _belongs(pid, process.pid, mark)]
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue
    process.wait()
    process.stdout.close()
    patience = time.monotonic() + 1  # a killed process takes a moment to go
    while any(_is_alive(pid) for pid in left) and time.monotonic() < patience:
        time.sleep(0.002)


def _belongs(pid, group, mark):
    fields = _stat(pid)
    if fields and int(fields[2]) == group:
        return True
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return mark in file.read().split(b"\0")
    except OSError:
        return False


def _is_alive(pid):
    fields = _stat(pid)
    return fields is not None and fields[0] not in (b"Z", b"X")
