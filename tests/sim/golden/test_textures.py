"""Textures and surfaces: what a real GPU gave (textures.bin, an H200's) against what we give.

textures.txt lists the cases with samples that differ, how many, and why; all others agree in every
bit. A case that gets better or worse fails, so that the list stays true.

usage: test_textures.py TEXTURES RECORDING LIST
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

PROGRAM, RECORDING, LIST = sys.argv[1:4]
SAMPLES = 24  # of each case in the recording
BYTES = 16  # of a sample


def measured(recorded: bytes) -> tuple[Counter, int]:
    """Samples that differ, by case, and how many there are in all."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "samples")
        env = {k: v for k, v in os.environ.items() if not k.startswith("WARP_WEFT_")}
        done = subprocess.run([PROGRAM, str(SAMPLES), file], env={**env, "WARP_WEFT_TEXT": "0"}, text=True,
                              capture_output=True, check=True, timeout=120)
        ours = file.read_bytes()
    cases = [(int(m[1]), m[2]) for m in re.finditer(r"^(\d+) (.+)$", done.stdout, re.M)]
    if len(ours) != len(recorded):
        raise AssertionError(f"{len(ours)} bytes, and {len(recorded)} were recorded:\n{done.stdout[-300:]}")
    differ = Counter()
    for (first, name), (end, _) in zip(cases, cases[1:] + [(len(ours) // BYTES, "")]):
        for at in range(first * BYTES, end * BYTES, BYTES):
            differ[name] += ours[at:at + BYTES] != recorded[at:at + BYTES]
    return differ, len(ours) // BYTES


class Recorded(unittest.TestCase):
    def test_every_sample_is_the_recorded_one_but_those_listed(self):
        listed = Counter()
        for line in Path(LIST).read_text().splitlines():
            if line and not line.startswith("#"):
                count, name = line.split(" ", 1)
                listed[name] += int(count)
        differ, samples = measured(Path(RECORDING).read_bytes())
        self.assertGreater(samples, 9000)
        self.assertEqual({n: c for n, c in differ.items() if c}, dict(listed))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
