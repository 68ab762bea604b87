"""The simulated GPU finds every mistake that compute-sanitizer found on a real GPU (found.json).

Which mistakes the simulated GPU finds is what test_case.py proves, case by case; here the two are compared.
"""

import json
import re
import unittest
from pathlib import Path

CASES = Path(__file__).parent
FOUND = json.loads((CASES / "found.json").read_text())
MISSED = (CASES / "missed.txt").read_text().split("\n")
# What the tools say of correct programs, and why it is none of theirs.
FALSE_ALARMS = {
    ("lock-held-while-waiting-for-the-block", "racecheck"): "a lock in shared memory orders what it guards",
    ("graph-launched-while-it-holds-memory", "memcheck"): "memory that a graph allocates may be freed by cudaFree",
    ("pipeline-stages-never-released", "synccheck"): "every stage is waited for, by the way of <cuda/pipeline>",
}


def kind_of(name):
    return re.search(r"^// kind:\s+([\w-]+)", (CASES / f"{name}.cu").read_text(), re.M)[1]


def by_tools(name):
    return [tool for tool, run in FOUND["cases"][name]["broken"].items() if run["found"]]


class Found(unittest.TestCase):
    def test_what_the_tools_find_is_found_here_too(self):
        for name in FOUND["cases"]:
            if by_tools(name) and kind_of(name) != "none":
                with self.subTest(name):
                    self.assertNotIn(name, MISSED)
                    self.assertNotEqual(kind_of(name), "wrong-result")

    def test_more_is_found_than_by_all_the_tools_together(self):
        told = [name for name in FOUND["cases"]
                if kind_of(name) not in ("none", "wrong-result") and not kind_of(name).startswith("perf-")
                and name not in MISSED]
        self.assertGreater(len(told), sum(bool(by_tools(name)) for name in told))

    def test_the_corrected_programs_were_silent_on_the_real_gpu(self):
        for name, case in FOUND["cases"].items():
            for tool, run in case["fixed"].items():
                with self.subTest(name, tool=tool):
                    self.assertEqual(run["found"], (name, tool) in FALSE_ALARMS, run)

    def test_the_recording_says_where_it_comes_from(self):
        for key in ("device", "driver", "toolkit", "sanitizer", "date", "commit"):
            self.assertTrue(FOUND[key], key)


if __name__ == "__main__":
    unittest.main()
