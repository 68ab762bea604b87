"""How threads go on and meet: the same program prints the same on a real GPU and on the simulated one.

usage: test_meetings.py PROGRAM RECORDED
"""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM, RECORDED = sys.argv[1:3]


def by_kernel(text):
    """What each kernel answered: its error, and a word of each thread."""
    kernels = {}
    for line in text.splitlines():
        if line.startswith("  "):
            kernels[name] += line.split()
        elif not line.startswith("#"):
            name, error = line.split(": ")
            kernels[name] = [error]
    return kernels


def instructions_named(text):
    return [word for line in text.splitlines() if line.startswith("#   ") for word in line[1:].split()]


class Meetings(unittest.TestCase):
    def test_every_kernel_answers_as_on_a_real_gpu(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARP_WEFT_")}
        done = subprocess.run([PROGRAM], env={**env, "WARP_WEFT_DEVICE": "h200"}, capture_output=True, text=True)
        ours, real = by_kernel(done.stdout), by_kernel(Path(RECORDED).read_text())
        self.assertEqual(list(ours), list(real))
        for name, answers in real.items():
            with self.subTest(kernel=name):
                self.assertEqual(ours[name], answers)

    def test_only_the_trap_is_a_mistake(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARP_WEFT_")}
        done = subprocess.run([PROGRAM], env={**env, "WARP_WEFT_DEVICE": "h200"}, capture_output=True, text=True)
        found = [line for line in done.stderr.splitlines() if line.startswith(("error:", "warning:"))]
        self.assertEqual(found, ["error: launch-error in kernel trapped"])

    def test_the_instructions_that_the_recording_names_are_in_the_program(self):
        ptx = re.sub(r"\bbarrier\b", "bar", Path(PROGRAM).read_bytes().decode("latin-1")).replace("bar.sync", "bar")
        named = instructions_named(Path(RECORDED).read_text())
        self.assertGreater(len(named), 25)
        for name in named:
            with self.subTest(instruction=name):
                self.assertTrue(re.search(rf"(?<![\w.]){re.escape(name)}[.\s;]", ptx))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
