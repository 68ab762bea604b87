"""./lab test and ./lab book: what a contributor and the continuous integration run."""

import json
import re
import webbrowser
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from . import build, environment, terminal
from .terminal import Failure, paint, shown

LOG = build.BUILD / "meson-logs/testlog.json"
RESULTS = {"OK": "passed", "SKIP": "skipped", "EXPECTEDFAIL": "passed"}


def test(suites=()):
    """Builds everything and runs all suites; ends with the line 'N passed, N failed, N skipped'."""
    with build.the_only_one():
        env = build.configure(for_the_book=True)
        result = build.build(["all", "meson-test-prereq"], env)
    for output, message in result.failed.items():
        print(paint(f"did not build: {output}", "red"))
        print(message + "\n")
    LOG.unlink(missing_ok=True)
    with _failing_stand_ins():
        _run_meson_test(suites, env)
    tests = _read_log()
    if not tests:
        raise Failure("No test ran: Meson left no log of any. "
                      + (f"Is there a suite {', '.join(suites)}?" if suites else ""), 1)
    return _report(tests, result)


@contextmanager
def _failing_stand_ins():
    """Meson runs no test at all while one test's program is missing: what did not build fails instead."""
    tests = json.loads((build.BUILD / "meson-info/intro-tests.json").read_text())
    programs = [Path(test["cmd"][0]) for test in tests]
    missing = {path for path in programs if build.BUILD in path.parents and not path.exists()}
    for path in missing:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\necho 'This test did not build.'\nexit 1\n")
        path.chmod(0o755)
    try:
        yield
    finally:
        for path in missing:
            path.unlink(missing_ok=True)


def _run_meson_test(suites, env):
    command = [str(environment.VENV / "bin/python"), "-m", "mesonbuild.mesonmain", "test", "-C",
               str(build.BUILD), "--no-rebuild", "--print-errorlogs",
               *(option for suite in suites for option in ("--suite", suite))]
    terminal.start_progress()

    def show(line):
        step = re.match(r"\s*(\d+/\d+) (.*?)\s+(OK|FAIL|SKIP|TIMEOUT|ERROR)\b", line)
        if step:
            terminal.progress(f"testing [{step[1]}] {step[2]}")

    build.in_group(command, env, show)
    terminal.clear_progress()


def _read_log():
    try:
        return [json.loads(line) for line in LOG.read_text().splitlines()]
    except OSError:
        return []


def _report(tests, built):
    by_suite = {}
    for entry in tests:
        outcome = RESULTS.get(entry["result"], "failed")
        for suite in _suites(entry):
            by_suite.setdefault(suite, Counter())[outcome] += 1
        if outcome == "failed":
            print(paint(f"failed: {_title(entry)} ({entry['result'].lower()})", "red"))
            text = (entry.get("stdout", "") + entry.get("stderr", "")).rstrip().splitlines()
            print("\n".join("  | " + line for line in text[-60:]) + "\n")
    width = max(map(len, by_suite))
    for suite in sorted(by_suite):
        counts = by_suite[suite]
        print(f"  {suite:<{width}}  " + ", ".join(
            paint(f"{counts[outcome]} {outcome}", "red" if outcome == "failed" else "dim")
            for outcome in ("passed", "failed", "skipped") if counts[outcome]))
    total = Counter(RESULTS.get(entry["result"], "failed") for entry in tests)
    print(f"\n{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped", flush=True)
    return 1 if total["failed"] or built.failed else 0


def _suites(entry):
    """Meson names a test 'project:suite+suite / name'."""
    prefix = entry["name"].partition(" / ")[0]
    return prefix.partition(":")[2].split("+") if " / " in entry["name"] else ["(none)"]


def _title(entry):
    return f"{_suites(entry)[0]} / {entry['name'].partition(' / ')[2] or entry['name']}"


def book(open_it=False):
    with build.the_only_one():
        env = build.configure(for_the_book=True)
        result = build.build(["book"], env, "building the book")
    if result.failed:
        raise Failure("The book does not build:\n" + "\n".join(result.failed.values()), 1)
    page = build.BUILD / "docs/html/docs/index.html"
    if not page.exists():
        page = next(iter(sorted((build.BUILD / "docs/html").rglob("index.html"))), page)
    print(f"The book: {shown(page)}")
    if open_it:
        webbrowser.open(page.as_uri())
    return 0
