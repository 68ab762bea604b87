"""The grading main, end to end: what a program does, and which verdict its record gives.

    test_grading.py PROGRAM
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

from cli import verdict

PROGRAM = Path(sys.argv.pop(1)).resolve()


def graded(mode, force=False):
    with mock.patch.dict(os.environ, MODE=mode):
        return verdict.grade(PROGRAM, "00-test/graded", "starter", force=force, seconds=10)


class Grading(unittest.TestCase):
    def test_all_cases_and_gates_passed(self):
        result = graded("right")
        self.assertEqual(("passed", 3), (result.status, result.points), result.details)
        self.assertEqual(["first", "second"], [case["name"] for case in result.record["cases"]])
        self.assertEqual("host memory", result.record["device"])

    def test_a_failing_case_carries_its_message_and_the_seed(self):
        result = graded("wrong")
        self.assertEqual("failed", result.status)
        self.assertIn("y[3] is 1, expected 2", result.details)
        self.assertIn(f"WARP_WEFT_SEED={result.record['seed']}", result.details)

    def test_a_seed_can_be_given_and_differs_otherwise(self):
        with mock.patch.dict(os.environ, WARP_WEFT_SEED="7"):
            self.assertEqual(7, graded("right").record["seed"])
        self.assertNotEqual(graded("right").record["seed"], graded("right").record["seed"])

    def test_a_gate_that_is_not_met_fails_although_all_cases_passed(self):
        result = graded("gate")
        self.assertEqual("failed", result.status)
        self.assertEqual({"a gate"}, verdict.failures(result.record))

    def test_a_todo_is_not_started(self):
        result = graded("todo")
        self.assertEqual("not started", result.status)
        self.assertIn("write it", result.record["message"])

    def test_forced_a_todo_does_nothing(self):
        self.assertEqual("passed", graded("todo", force=True).status)

    def test_no_case_is_a_failure(self):
        self.assertEqual("failed", graded("no case").status)

    def test_exit_0_leaves_no_record(self):
        result = graded("exit")
        self.assertEqual(({}, "failed"), (result.record or {}, result.status))

    def test_exceptions_of_any_type_fail_their_case_only(self):
        for mode, words in {"throw": "thrown by the learner", "throw int": "no std::exception"}.items():
            result = graded(mode)
            self.assertEqual(["first"], [case["name"] for case in result.record["cases"] if case["passed"]])
            self.assertIn(words, result.details)

    def test_a_write_around_a_buffer_is_a_finding_and_fails_the_case(self):
        result = graded("past the end")
        self.assertIn("past the end of y", result.details)
        self.assertEqual({"second", "out-of-bounds"}, verdict.failures(result.record))

    def test_the_first_failure_is_told_also_when_a_later_case_ends_the_process(self):
        result = graded("wrong, then abort")
        self.assertIn("crashed (SIGABRT)", result.headline)
        self.assertIn('case "second" failed', result.details)
        self.assertIn("y[3] is 1, expected 2", result.details)

    def test_run_by_hand_it_prints_its_verdict(self):
        answer = subprocess.run([PROGRAM], env={**os.environ, "MODE": "wrong"}, capture_output=True, text=True)
        self.assertEqual(1, answer.returncode)
        self.assertIn('case "second" failed\ny[3] is 1, expected 2', answer.stdout)
        self.assertIn("failed: 2 cases, 1 gates", answer.stdout)


if __name__ == "__main__":
    unittest.main()
