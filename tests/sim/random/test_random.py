"""Random kernels: what the simulated GPU computes against what a real one did, bit for bit.

usage: test_random.py PROGRAM RECORDED     (kernels of generate.py; lines of "number hash")
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM, RECORDED = sys.argv[1:3]


def numbers_and_hashes(text):
    return dict(line.split() for line in text.splitlines() if line and not line.startswith("#"))


class Random(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recorded = numbers_and_hashes(Path(RECORDED).read_text())

    def computed(self, **settings):
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARP_WEFT_")}
        done = subprocess.run([PROGRAM], env={**env, **settings}, capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")  # no finding
        return numbers_and_hashes(done.stdout)

    def test_the_results_are_a_real_gpus(self):
        computed = self.computed()
        self.assertGreaterEqual(len(computed), 60)
        self.assertEqual(computed, {number: self.recorded.get(number) for number in computed})

    def test_several_thousand_are_recorded(self):
        self.assertGreater(len(self.recorded), 4000)

    def test_any_number_of_workers_computes_the_same(self):
        self.assertEqual(self.computed(WARP_WEFT_WORKERS="1"), self.computed(WARP_WEFT_WORKERS="3"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
