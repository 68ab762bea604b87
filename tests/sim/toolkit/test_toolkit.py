"""Programs that use the toolkit's headers: right results, and nothing to report.

usage: test_toolkit.py PROGRAM EXPECTED-LINES
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, LINES = sys.argv[1], int(sys.argv[2])


class Toolkit(unittest.TestCase):
    def test_results_are_right_and_nothing_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder, "report.json")
            env = {k: v for k, v in os.environ.items() if not k.startswith("WARP_WEFT_")}
            env["WARP_WEFT_JSON"] = str(report)
            done = subprocess.run([PROGRAM], env=env, capture_output=True, text=True, timeout=60)
            findings = json.loads(report.read_text())["findings"]
        self.assertEqual([f["message"] for f in findings if f["severity"] != "advice"], [])
        self.assertEqual(done.returncode, 0)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), LINES, done.stdout + done.stderr)
        for line in lines:
            self.assertTrue(line.endswith(": 0 wrong, no error"), line)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
