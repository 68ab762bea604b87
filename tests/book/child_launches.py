"""What the page on dynamic parallelism says about nvcc is so: a kernel that launches kernels needs
-rdc=true; a child that is given a pointer to local memory is warned about, one to shared memory is not.

    child_launches.py NVCC SOURCE
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path


class ChildLaunches(unittest.TestCase):
    def compile(self, *flags):
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([*NVCC, "-arch=sm_80", *flags, "-c", SOURCE, "-o", str(Path(folder, "child.o"))],
                                  text=True, capture_output=True)

    def test_without_separate_compilation_it_is_refused(self):
        answer = self.compile()
        self.assertNotEqual(0, answer.returncode)
        self.assertIn("separate compilation mode", answer.stderr)

    def test_only_the_pointer_to_local_memory_is_warned_about(self):
        answer = self.compile("-rdc=true")
        self.assertEqual(0, answer.returncode, answer.stderr)
        warned = [int(line) for line in re.findall(r"child\.cu\((\d+)\)\s*: Warning", answer.stdout + answer.stderr)]
        lines = Path(SOURCE).read_text().splitlines()
        self.assertEqual(["own_values"], [re.search(r"\((\w+)\);", lines[line - 1]).group(1) for line in warned])


if __name__ == "__main__":
    *NVCC, SOURCE = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
