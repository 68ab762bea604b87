"""Verdicts: only a complete record of this run counts; every other end is zero, in its own words."""

import os
import stat
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

from cli import grade, verdict
from cli.runner import Outcome

RECORD = """
import json, os
def record(**fields):
    fields = {"complete": True, "nonce": os.environ["WARP_WEFT_NONCE"], "cases": [], "gates": [],
              "findings": [], **fields}
    json.dump(fields, open(os.environ["WARP_WEFT_RECORD"], "w"))
"""
PASSED_CASE = {"name": "n = 33", "passed": True}
UNMEASURED = {"name": "sectors", "passed": True, "measured": None}
UNMET = {"name": "kernels launched", "passed": False, "measured": 1}
FAILED_CASE = {"name": "n = 33", "passed": False, "message": "y[7] is 2, expected 3"}


def graded(code, seconds=10, **options):
    """The verdict on a program written in Python."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program")
        program.write_text(f"#!{sys.executable}\n{RECORD}\n{textwrap.dedent(code)}")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return verdict.grade(program, "01-x/y", "starter", seconds=seconds, **options)


class Verdicts(unittest.TestCase):
    def test_a_complete_record_that_passed(self):
        result = graded(f"record(status='passed', points=3, cases=[{PASSED_CASE}])")
        self.assertEqual(("passed", "1 case", 3), (result.status, result.headline, result.points))

    def test_the_first_failing_case_is_shown(self):
        result = graded(f"record(status='failed', points=3, cases=[{PASSED_CASE}, {FAILED_CASE}])\nexit(1)")
        self.assertEqual(("failed", 'case "n = 33" failed', 0), (result.status, result.headline, result.points))
        self.assertIn("y[7] is 2, expected 3", result.details)

    def test_a_gate_that_is_not_met(self):
        result = graded("record(status='failed', gates=[{'name': 'sectors', 'passed': False, 'text': "
                        "'32 sectors now; 4 when coalesced'}])\nexit(1)")
        self.assertIn("sectors", result.headline)
        self.assertIn("32 sectors now", result.details)

    def test_gates_that_were_not_measured_are_told_apart(self):
        met = {"name": "kernels launched", "passed": True, "measured": 1}
        for gates, headline in (([met], "1 case, 1 gate"),
                                ([met, UNMEASURED],
                                 "1 case, 2 gates, 1 of which needs counters that this device does not give"),
                                ([met, UNMEASURED, UNMEASURED | {"name": "bytes"}],
                                 "1 case, 3 gates, 2 of which need counters that this device does not give")):
            result = graded(f"record(status='passed', cases=[{PASSED_CASE}], gates={gates})")
            self.assertEqual(("passed", headline), (result.status, result.headline))

    def test_not_started(self):
        self.assertEqual("not started", graded("record(status='not started')\nexit(77)").status)

    def test_exit_0_is_no_pass(self):
        result = graded("raise SystemExit(0)")
        self.assertEqual("failed", result.status)
        self.assertIn("exit code 0", result.headline)
        self.assertIn("Return from your functions", result.details)

    def test_a_printed_verdict_is_no_pass(self):
        result = graded("print('status: passed, all 12 cases')")
        self.assertEqual("failed", result.status)

    def test_a_record_with_a_guessed_nonce_is_no_pass(self):
        result = graded(f"record(status='passed', nonce='0000', cases=[{PASSED_CASE}])")
        self.assertEqual("failed", result.status)
        self.assertIn("not from this run", result.headline)

    def test_an_incomplete_record_is_no_pass(self):
        for text in ('{"complete": false}', '{"complete": tr', "[]", ""):
            result = graded(f"open(os.environ['WARP_WEFT_RECORD'], 'w').write({text!r})")
            self.assertEqual("failed", result.status, text)
            self.assertIn("incomplete", result.headline)

    def test_a_pass_without_cases_is_no_pass(self):
        self.assertEqual("failed", graded("record(status='passed')").status)

    def test_a_pass_followed_by_a_failing_exit_is_no_pass(self):
        result = graded(f"record(status='passed', cases=[{PASSED_CASE}])\nexit(5)")
        self.assertEqual("failed", result.status)
        self.assertIn("exit code 5", result.headline)

    def test_a_crash_after_the_record_is_no_pass(self):
        result = graded(f"record(status='passed', cases=[{PASSED_CASE}])\nos.abort()")
        self.assertIn("SIGABRT", result.headline)

    def test_a_hang(self):
        result = graded("while True: pass", seconds=0.5)
        self.assertIn("stopped after 0.5 seconds", result.headline)

    def test_a_crash_says_what_the_signal_means(self):
        result = graded("import signal; print('before', flush=True); os.kill(os.getpid(), signal.SIGSEGV)")
        self.assertIn("crashed (SIGSEGV)", result.headline)
        self.assertIn("device pointer used on the host", result.details)
        self.assertIn("  | before", result.details)

    def test_it_runs_in_a_folder_that_vanishes(self):
        result = graded("print(os.getcwd()); open('litter', 'w').write('x')")
        self.assertFalse(os.path.exists(result.outcome.output.strip()))

    def test_our_variables_do_not_leak_in(self):
        os.environ["WARP_WEFT_FORCE"] = "1"
        try:
            result = graded("print(os.environ.get('WARP_WEFT_FORCE'))")
        finally:
            del os.environ["WARP_WEFT_FORCE"]
        self.assertEqual("None\n", result.outcome.output)


class Mutants(unittest.TestCase):
    def rejected(self, expected, **record):
        result = verdict.judge(Outcome("exited", 1), {"complete": True, "nonce": "n", **record}, "n")
        return grade.judge_mutant(result, expected)

    def test_rejected_for_the_stated_reason(self):
        self.assertIsNone(self.rejected(["n = 33"], status="failed", cases=[FAILED_CASE]))

    def test_rejected_for_another_reason(self):
        wrong = self.rejected(["out-of-bounds"], status="failed", cases=[FAILED_CASE])
        self.assertIn("not for the reason it states", wrong)

    def test_accepted(self):
        result = verdict.judge(Outcome("exited", 0), {"complete": True, "nonce": "n", "status": "passed",
                                                      "cases": [PASSED_CASE]}, "n")
        self.assertIn("accepted", grade.judge_mutant(result, ["n = 33"]))

    def test_one_that_states_no_reason(self):
        self.assertIn("expect", self.rejected([], status="failed", cases=[FAILED_CASE]))

    def test_one_that_ends_the_process(self):
        result = verdict.judge(Outcome("exited", 0), None, "n")
        self.assertIsNone(grade.judge_mutant(result, ["no-record"]))

    def test_one_that_hangs(self):
        result = verdict.judge(Outcome("time-out"), None, "n")
        self.assertIsNone(grade.judge_mutant(result, ["time-out"]))

    def unseen(self, expected, **record):
        result = verdict.judge(Outcome("exited", 0), {"complete": True, "nonce": "n", "status": "passed",
                                                      "cases": [PASSED_CASE], **record}, "n")
        return grade.unseen(result, expected)

    def test_a_gate_that_was_not_measured_is_unseen(self):
        self.assertEqual(["sectors"], self.unseen(["sectors"], gates=[UNMEASURED]))

    def test_a_gate_that_was_measured_is_seen(self):
        self.assertEqual([], self.unseen(["sectors"], gates=[UNMEASURED | {"measured": 4}]))

    def test_a_mistake_in_memory_is_unseen_only_where_memory_is_not_checked(self):
        self.assertEqual(["out-of-bounds"], self.unseen(["out-of-bounds"], checks_memory=False))
        self.assertEqual([], self.unseen(["out-of-bounds"], checks_memory=True))
        self.assertEqual([], self.unseen(["kernels launched"], checks_memory=False,
                                         gates=[UNMET | {"passed": True}]))

    def test_the_reason_is_read_from_the_head_of_the_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
            file.write("// Forgets the bounds check.\n// expect: out-of-bounds\n// expect: n = 33\n\nint x;\n")
            file.flush()
            self.assertEqual(["out-of-bounds", "n = 33"], grade.expectations(file.name))


class Steps(unittest.TestCase):
    def judged(self, outcome=Outcome("exited", 1), **record):
        return verdict.of_step(verdict.judge(outcome, {"complete": True, "nonce": "n", **record}, "n"))

    def test_right_results_are_enough(self):
        result = self.judged(status="failed", cases=[PASSED_CASE], gates=[UNMEASURED, UNMET])
        self.assertEqual(("passed", "all results are right; gates not met: kernels launched"),
                         (result.status, result.headline))
        self.assertEqual(0, result.points)

    def test_a_case_that_fails_is_wrong(self):
        self.assertEqual("failed", self.judged(status="failed", cases=[PASSED_CASE, FAILED_CASE], gates=[UNMET]).status)

    def test_a_run_that_ends_badly_is_wrong(self):
        self.assertEqual("failed", self.judged(Outcome("exited", 5), status="passed", cases=[PASSED_CASE]).status)
        self.assertEqual("failed", verdict.of_step(verdict.judge(Outcome("exited", 0), None, "n")).status)

    def test_no_case_is_wrong(self):
        self.assertEqual("failed", self.judged(status="failed", gates=[UNMET]).status)


if __name__ == "__main__":
    unittest.main()
