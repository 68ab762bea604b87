"""Every starter compiles (the build has shown that) and, forced to be graded as it was shipped, fails
in a named case without crashing. A starter that passes would be a lab without a task; one that
crashes would greet the learner with a signal instead of a sentence.

    test_starters.py BUILD
"""

import sys
import unittest
from pathlib import Path

from cli import labs, verdict

BUILD = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
# A learner who has begun has removed the LAB_TODO; that file is no longer the starter as shipped.
MISTAKES_ARE_THE_TASK = "07-debugging"
UNTOUCHED = [lab for lab in labs.all_labs() if "LAB_TODO(" in lab.starter.read_text()]


class Starters(unittest.TestCase):
    def test_as_shipped_a_lab_is_not_started(self):
        for lab in UNTOUCHED:
            with self.subTest(lab=lab.name):
                result = verdict.grade(BUILD / lab.program("starter"), lab.name, "starter")
                self.assertEqual("not started", result.status, f"{result.headline}\n{result.details}")

    def test_forced_it_fails_in_a_named_case_without_crashing(self):
        for lab in UNTOUCHED:
            with self.subTest(lab=lab.name):
                result = verdict.grade(BUILD / lab.program("starter"), lab.name, "starter", force=True)
                self.assertEqual("exited", result.outcome.end, f"{result.headline}\n{result.details}")
                self.assertEqual("failed", result.status)
                failing = [case for case in result.record.get("cases", []) if not case["passed"]]
                self.assertTrue(failing, f"no case failed: {result.headline}")
                self.assertTrue(all(case["name"] and case["message"] for case in failing))
                if lab.chapter != MISTAKES_ARE_THE_TASK:
                    self.assertEqual([], result.record["findings"], "it makes mistakes of its own")


if __name__ == "__main__":
    if not labs.all_labs():
        sys.exit("no labs were found")
    if not UNTOUCHED:
        print("every lab has been started: there is no shipped starter to check")
        sys.exit(77)
    unittest.main()
