"""From how a graded program ended and the record it left to a verdict.

The record (its fields are described in common/lab/record.h) is the only evidence of success. An exit
code of zero, or a printed "passed", without a complete record that carries this run's nonce is worth
nothing. Each way to fail has its own wording: what happened, why it matters, what to look at next.
"""

import json
import os
import secrets
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import runner
from .terminal import ROOT

TIME_LIMIT = 60  # seconds for all cases of a lab; the solutions need about one

# What a user may set for the simulated GPU, or to repeat a run with the same inputs. Other variables
# of ours do not reach a graded program.
KEPT = ("WARP_WEFT_DEVICE", "WARP_WEFT_WORKERS", "WARP_WEFT_INSTRUCTION_BUDGET", "WARP_WEFT_SEED",
        "WARP_WEFT_SCHEDULE")


@dataclass
class Verdict:
    status: str                 # "passed", "failed", "not started"
    headline: str               # one line
    details: str = ""           # the first failure, in full
    record: dict = field(default_factory=dict)
    outcome: runner.Outcome = None

    @property
    def points(self):
        return self.record.get("points", 0) if self.status == "passed" else 0


def grade(program, lab_name, variant, device=None, force=False, seed=None,
          seconds=TIME_LIMIT):
    """Runs a lab's program once and judges it."""
    folder = tempfile.mkdtemp(prefix="warp-weft-")
    try:
        record_path = Path(folder, "record.json")
        nonce = secrets.token_hex(16)
        env = {key: value for key, value in os.environ.items()
               if not key.startswith("WARP_WEFT_") or key in KEPT}
        env |= {"WARP_WEFT_RECORD": str(record_path), "WARP_WEFT_NONCE": nonce,
                "WARP_WEFT_LAB": lab_name, "WARP_WEFT_VARIANT": variant,
                "WARP_WEFT_ROOT": ROOT, "WARP_WEFT_TEXT": "0"}
        if device:
            env["WARP_WEFT_DEVICE"] = device
        if force:
            env["WARP_WEFT_FORCE"] = "1"
        if seed:
            env["WARP_WEFT_SEED"] = seed
        scratch = Path(folder, "scratch")  # what the program writes by relative paths goes with it
        scratch.mkdir()
        outcome = runner.run([str(program)], env, seconds, cwd=scratch)
        return judge(outcome, _read(record_path), nonce, seconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read(path):
    """The record; None when there is none, {} when it cannot be read."""
    try:
        record = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def judge(outcome, record, nonce, seconds=TIME_LIMIT):
    """The verdict on one run. `record` is None if the program left none."""
    broken = _broken_run(outcome, seconds)
    if broken:
        return Verdict("failed", broken[0], _with_output(broken[1], outcome), outcome=outcome)
    if record is None:
        return Verdict("failed", f"ended early, with exit code {outcome.code} and without a verdict",
                       _with_output("The program stopped before its checks were done: something in your code "
                                    "ended the process\n(exit(), abort(), an uncaught exception?). Only the checks "
                                    "can say that a lab has passed,\nso this counts as a failure. Return from "
                                    "your functions instead.", outcome), outcome=outcome)
    if record.get("nonce") != nonce or record.get("complete") is not True:
        return Verdict("failed", "left a record of its checks that is incomplete or not from this run",
                       _with_output("The verdict is written once, by the checks, when all of them have run. "
                                    "Something else wrote\nto it or cut it short, so this counts as a failure.",
                                    outcome), outcome=outcome)
    status = record.get("status")
    if status == "not started":
        return Verdict("not started", "not started", "", record, outcome)
    if status == "passed" and outcome.code != 0:
        return Verdict("failed", f"passed its checks, then ended with exit code {outcome.code}",
                       _with_output("The checks had finished when the process failed on its way out. Look for a "
                                    "destructor or an\natexit() handler that ends the program.", outcome),
                       record, outcome)
    if status == "passed" and not record.get("cases"):
        return Verdict("failed", "ran no cases", "A record without a single case proves nothing.",
                       record, outcome)
    if status == "passed":
        return Verdict("passed", _summary(record), "", record, outcome)
    return Verdict("failed", *first_failure(record), record, outcome)


def of_step(result):
    """The verdict on a step of a chapter's text: right results are enough, for what its gates say is what the
    next step is for."""
    unmet = [gate["name"] for gate in result.record.get("gates", []) if not gate.get("passed")]
    if result.record.get("status") == "failed" and result.record.get("cases") \
            and failures(result.record) <= set(unmet):
        return replace(result, status="passed", details="",
                       headline="all results are right; gates not met: " + ", ".join(unmet))
    return result


def _broken_run(outcome, seconds):
    """Headline and explanation of a run that did not end by itself; None if it did."""
    if outcome.end == "missing":
        return "did not build", "There is no program to run. Build it, and read what the compiler says."
    if outcome.end == "time-out":
        return (f"was stopped after {seconds:g} seconds",
                "It was still running. A loop that never ends, on the host, is the usual cause, or a kernel whose "
                "every thread\ndoes the work of all; a kernel that never ends is normally reported with its line. "
                "Check each loop's exit\ncondition, and what changes it.")
    if outcome.end == "flood":
        return ("was stopped: it printed more than "
                f"{runner.FLOOD // 2**20} MB", "Is a print inside a loop, or executed by every thread? The output "
                "began like this:")
    if outcome.end == "memory":
        return (f"was stopped: it used more than {runner.MEMORY // 2**30} GB of memory",
                "No lab needs nearly that much. Look for an allocation whose size is wrong (bytes, or elements?) "
                "or one inside\na loop.")
    if outcome.end == "crashed":
        meaning = {"SIGSEGV": "the host touched memory that is not its own:\na null pointer, an index out of "
                              "range, or a device pointer used on the host",
                   "SIGABRT": "something called abort(): an uncaught exception, a failed assert, or a broken heap",
                   "SIGFPE": "an integer was divided by zero on the host",
                   "SIGKILL": "it was killed from outside, perhaps because the machine ran out of memory",
                   "SIGILL": "the host ran an invalid instruction: has a function with a result no return?",
                   "SIGBUS": "the host touched memory that cannot be reached",
                   "SIGXFSZ": "it wrote a file of more than a gigabyte"}.get(outcome.signal_name, "")
        return (f"crashed ({outcome.signal_name})",
                "The process died before its checks were done" + (f"; {meaning}" if meaning else "") + ".")
    return None


def _with_output(text, outcome):
    lines = outcome.output.rstrip().splitlines()
    if not lines:
        return text + "\nIt printed nothing."
    head = [line[:200] for line in (lines if len(lines) <= 20 else lines[:12] + ["…"] + lines[-7:])]
    return text + "\nIts output:\n" + "\n".join("  | " + line for line in head)


def _summary(record):
    cases, gates = record.get("cases", []), record.get("gates", [])
    text = f"{len(cases)} case" + ("" if len(cases) == 1 else "s")
    if gates:
        text += f", {len(gates)} gate" + ("" if len(gates) == 1 else "s")
    if unmeasured := unmeasured_gates(record):
        need = "needs" if len(unmeasured) == 1 else "need"
        text += f", {len(unmeasured)} of which {need} counters that this device does not give"
    return text


def unmeasured_gates(record):
    """The names of the gates that this device could not judge; they fail nothing, and earn nothing."""
    return {gate.get("name") for gate in record.get("gates", [])
            if gate.get("passed") and gate.get("measured") is None}


def first_failure(record):
    """Headline and text of the first thing that went wrong: a case, or else a gate."""
    for case in record.get("cases", []):
        if not case.get("passed"):
            return f"case \"{case.get('name')}\" failed", str(case.get("message", "")).rstrip()
    for gate in record.get("gates", []):
        if not gate.get("passed"):
            return f"gate \"{gate.get('name')}\" not met", str(gate.get("text", "")).rstrip()
    for finding in record.get("findings", []):
        if finding.get("severity") == "error":
            return finding.get("kind", "finding"), str(finding.get("message", "")).rstrip()
    return "failed", str(record.get("message", "The record names no failure.")).rstrip()


def failures(record):
    """All names under which a run failed: cases, gates, and kinds of findings."""
    names = {case.get("name") for case in record.get("cases", []) if not case.get("passed")}
    names |= {gate.get("name") for gate in record.get("gates", []) if not gate.get("passed")}
    names |= {finding.get("kind") for finding in record.get("findings", [])
              if finding.get("severity") == "error"}
    return names - {None}
