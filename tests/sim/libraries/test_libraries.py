"""Programs that use the toolkit's header libraries: right results, and nothing to find.

usage: test_libraries.py PROGRAM…
"""

import os
import subprocess
import sys
import unittest

PROGRAMS = sys.argv[1:]


class Libraries(unittest.TestCase):
    def test_results_are_right_and_nothing_is_found(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARP_WEFT_")}
        for program in PROGRAMS:
            for variable, value in ("WORKERS", "1"), ("WORKERS", "2"), ("SCHEDULE", "3"):
                with self.subTest(program=os.path.basename(program), **{variable: value}):
                    done = subprocess.run([program], env={**env, "WARP_WEFT_" + variable: value}, timeout=120,
                                          capture_output=True, text=True)
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
