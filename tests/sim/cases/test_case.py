"""One program with a mistake, and its corrected twin, on the simulated GPU.

usage: test_case.py CASE.cu BROKEN FIXED

The program's head comment says what must be found:

    // kind:     out-of-bounds (also accept: shared-race)
    // point-at: line 24 (also accept: 22)

The broken program gives a finding of one of these kinds at one of these lines, and errors of no other
kind. `wrong-result` gives no error, since only a check of the numbers could tell; `perf-…` gives advice
and no error. The fixed program gives no error, and no advice of the kind that the broken one is about.
`kind: none` is a near miss: both look wrong and are right. A program for several devices names them:

    // devices:  small,small

A case whose name stands in missed.txt is one that is not told yet: it must fail, or the list is out of date.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TIME_LIMIT = 20
NOTHING_TO_FIND = ("wrong-result", "none")
NOTHING = {"kernels": [], "findings": []}  # the report of a program that left none


class Case:
    def __init__(self, source):
        self.source = Path(source)
        self.name = self.source.stem
        self.lines = self.source.read_text().splitlines()
        head = "\n".join(line for line in self.lines[:25] if line.startswith("//"))
        kind = re.search(r"^// kind:\s+([\w-]+)(?: \(also accept: ([\w-]+(?:, [\w-]+)*)\))?$", head, re.M)
        assert kind, f"{source} names no kind"
        self.kind = kind[1]
        self.kinds = {kind[1], *(kind[2].split(", ") if kind[2] else [])}
        place = re.search(r"^// point-at: line (\d+)(?: \(also accept: (\d+(?:, \d+)*)\))?$", head, re.M)
        assert place or self.kind == "none", f"{source} points at no line"
        devices = re.search(r"^// devices:\s+([\w,]+)$", head, re.M)
        self.settings = {"WARP_WEFT_DEVICE": devices[1]} if devices else {}
        numbers = [place[1], *(place[2].split(", ") if place[2] else [])] if place else []
        self.places = {near for number in numbers for near in self.statement(int(number))}

    def statement(self, number):
        """The lines of the statement that line `number` belongs to."""
        ends = re.compile(r"[;{}]\s*(//.*)?$|^\s*#|^\s*$")
        first = last = number
        while first > 1 and not ends.search(self.lines[first - 2]):
            first -= 1
        while last < len(self.lines) and not ends.search(self.lines[last - 1]):
            last += 1
        return range(first, last + 1)

    def told(self, finding):
        return (finding["kind"] in self.kinds and finding["line"] in self.places
                and Path(finding["file"]).name == self.source.name)

    def problems_of_broken(self, findings):
        if self.kind in NOTHING_TO_FIND:
            wanted = []
        elif any(self.told(finding) for finding in findings):
            wanted = []
        else:
            wanted = [f"no {' or '.join(sorted(self.kinds))} at line {' or '.join(map(str, sorted(self.places)))}"]
        allowed = set() if self.kind.startswith("perf-") or self.kind == "none" else self.kinds
        return wanted + ["this is no fair finding: " + show(finding) for finding in errors(findings)
                         if finding["kind"] not in allowed]

    def problems_of_fixed(self, findings):
        return ["a false alarm: " + show(finding) for finding in findings
                if finding["severity"] == "error" or finding["kind"] == self.kind]


def errors(findings):
    return [finding for finding in findings if finding["severity"] == "error"]


def places(findings):
    return {(finding["kind"], finding["line"]) for finding in errors(findings)}


def show(finding):
    return f"{finding['severity']} {finding['kind']} at line {finding['line']}: {finding['message']}"


def run(program, name, **environment):
    """The report of a run, and what is wrong with the run itself."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARP_WEFT_")}
        env.update({"WARP_WEFT_JSON": str(report), "WARP_WEFT_TEXT": "0", **environment})
        try:
            done = subprocess.run([program], env=env, capture_output=True, text=True, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return NOTHING, [f"the {name} program did not end in {TIME_LIMIT} s"]
        print(f"--- {name}: exit {done.returncode}", done.stdout + done.stderr, sep="\n", end="")
        if not report.exists():
            return NOTHING, [f"the {name} program left no report"]
        found = json.loads(report.read_text())
    print(*(show(finding) for finding in found["findings"]), sep="\n")
    return found, []


def main(source, broken, fixed):
    case = Case(source)
    report, problems = run(broken, "broken", **case.settings)
    problems += case.problems_of_broken(report["findings"])
    if case.kind in ("shared-race", "global-race", "stale-read", "none"):  # another order tells no other story
        shuffled, problems_of_run = run(broken, "broken, shuffled", WARP_WEFT_SCHEDULE="5", **case.settings)
        problems += problems_of_run
        if places(shuffled["findings"]) != places(report["findings"]):
            problems += ["the schedule changes what is found", *map(show, errors(shuffled["findings"]))]
    watched, problems_of_run = run(fixed, "fixed", **case.settings)
    problems += problems_of_run + case.problems_of_fixed(watched["findings"])
    alone, problems_of_run = run(fixed, "fixed, without checkers", WARP_WEFT_CHECKS="0", **case.settings)
    problems += problems_of_run
    if watched["kernels"] != alone["kernels"]:
        problems.append("the counters are others when the checkers watch")
    missed = case.name in Path(__file__).with_name("missed.txt").read_text().split("\n")
    print("---", *problems, sep="\n")
    if missed and not problems:
        print(f"{case.name} is told now: take it off missed.txt")
    return bool(problems) != missed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
