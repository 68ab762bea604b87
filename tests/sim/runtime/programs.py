"""How the tests of whole programs run them, and what a real GPU answered to the same calls.

The answers of a program stand in a file of its name beside this one. A program that leaves things in
a bad state has several parts, each a process of its own: the program's argument says which.
"""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path


def run(program, *arguments, **settings):
    """Runs a program; returns its exit code, output, standard error and JSON report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARP_WEFT_")}
        env.update({"WARP_WEFT_JSON": str(report), **settings})
        done = subprocess.run([program, *arguments], env=env, capture_output=True, text=True, timeout=60)
        written = json.loads(report.read_text()) if report.exists() else None
    return done.returncode, done.stdout, done.stderr, written


def recorded(program):
    return Path(__file__).with_name(Path(program).name + ".txt").read_text()


def answers(program, device, parts=None):
    """What all parts say on the simulated device: those that the recording names, or that many."""
    names = re.findall("^-- part (.+)$", recorded(program), re.M) if parts is None else map(str, range(parts))
    return "".join(run(program, name, WARP_WEFT_DEVICE=device, WARP_WEFT_TEXT="0")[1] for name in names)
