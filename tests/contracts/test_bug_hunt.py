"""The answer that bug-hunt asks for is the one that its program, as shipped, leads to. The checks know
it as a hash only, so a line more in the starter would make them reject the right answer.

    test_bug_hunt.py BUILD
"""

import re
import sys
import unittest
from pathlib import Path

from cli import labs, verdict

BUILD = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
HUNT = next((lab for lab in labs.all_labs() if lab.topic == "bug-hunt"), None)
SHIPPED = HUNT and HUNT.solution.exists() and "LAB_TODO(" in HUNT.starter.read_text()


@unittest.skipUnless(SHIPPED, "there is no shipped starter, or no solution")
class Answer(unittest.TestCase):
    def setUp(self):
        self.line = int(re.search(r"\.line = (\d+)", HUNT.solution.read_text()).group(1))

    def test_the_line_is_wrong_in_the_starter_and_has_changed_in_the_solution(self):
        text = HUNT.starter.read_text().splitlines()[self.line - 1]
        self.assertNotIn(text, HUNT.solution.read_text().splitlines())

    def test_the_first_finding_names_the_line(self):
        result = verdict.grade(BUILD / HUNT.program("starter"), HUNT.name, "starter", force=True)
        self.assertRegex(result.record["findings"][0]["message"], rf"starter\.cu:{self.line}\b")


if __name__ == "__main__":
    unittest.main()
