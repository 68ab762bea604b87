"""One graded program as a Meson test: python -m cli.grade --lab … --variant … -- PROGRAM

Exit code 0: as it should be. 77 (Meson's skip): the learner has not started. 1: not as it should be.
A mutant is as it should be when the checks reject it for the reason that its file states; 77 where
the device cannot see that reason. A step of a chapter's text is as it should be when its results are
right: the gates are what the next step is for.
"""

import argparse
import re
import sys
from pathlib import Path

from . import verdict
from .labs import ROOT

SKIP = 77


def expectations(source):
    """What a mutant's file says will reject it: lines `// expect: NAME` at its head.

    NAME is a failing case, a gate that is not met, the kind of a finding, or how the run ends
    ("no-record", "crashed", "time-out", "flood", "memory").
    """
    return [name.strip() for name in re.findall(r"^// expect: *(.+)$", Path(source).read_text(), re.M)]


def reasons(result):
    """Every name under which a verdict is a rejection."""
    names = verdict.failures(result.record)
    if result.outcome.end != "exited":
        names.add(result.outcome.end)
    elif not result.record:
        names.add("no-record")
    return names


def judge_mutant(result, expected):
    """None if the mutant was rejected as expected, else what is wrong."""
    if not expected:
        return "its file states no '// expect: …' line"
    if result.status != "failed":
        return f"the checks accepted it ({result.status}): {result.headline}"
    missing = [name for name in expected if name not in reasons(result)]
    if missing:
        return (f"it was rejected, but not for the reason it states: expected {', '.join(missing)}; "
                f"found {', '.join(sorted(map(str, reasons(result)))) or 'nothing'}")
    return None


def unseen(result, expected):
    """What a mutant's file expects and this device cannot judge: gates that need counters, and, where
    memory is not checked, mistakes that may do no visible harm."""
    gates = {gate.get("name") for gate in result.record.get("gates", [])}
    blind = verdict.unmeasured_gates(result.record)
    if result.record.get("checks_memory") is False:
        blind |= set(expected) - gates
    return [name for name in expected if name in blind - reasons(result)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lab", required=True)
    parser.add_argument("--variant", required=True)
    parser.add_argument("--suite", required=True, choices=["submission", "reference", "steps", "mutants"])
    parser.add_argument("--source", required=True)
    parser.add_argument("program")
    options = parser.parse_args()

    limit = 20 if options.suite == "mutants" else verdict.TIME_LIMIT
    result = verdict.grade(Path(options.program).resolve(), options.lab, options.variant, seconds=limit)
    source = Path(options.source).resolve()
    name = source.relative_to(ROOT) if source.is_relative_to(ROOT) else source
    if options.suite == "mutants":
        expected = expectations(source)
        wrong = judge_mutant(result, expected)
        hidden = unseen(result, expected)
        if wrong and hidden and set(hidden) == set(expected) - reasons(result):
            print(f"{name}: this device cannot see {', '.join(hidden)}; the simulated GPU does")
            return SKIP
        print(f"{name}: {wrong or 'rejected as expected: ' + ', '.join(expected)}")
        if wrong:
            print(result.headline, result.details, sep="\n")
        return 1 if wrong else 0
    if options.suite == "steps":
        result = verdict.of_step(result)
    print(f"{name}: {result.headline}", result.details, sep="\n")
    if result.status == "not started" and options.suite == "submission":
        return SKIP
    return 0 if result.status == "passed" else 1


if __name__ == "__main__":
    sys.exit(main())
