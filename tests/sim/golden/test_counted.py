"""The traffic of small kernels against a real GPU's: every count is equal, or it is known why not.

usage: test_counted.py PROGRAM TABLE
"""

import sys
import unittest

from counted import EXPLAINED, compare, reason
from record_counted import COLUMNS


class Counted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernels = compare(*sys.argv[1:3])

    def test_enough_kernels(self):
        self.assertGreaterEqual(len(self.kernels), 270)

    def test_the_launches_are_the_same(self):
        for k in self.kernels:
            self.assertIn(k.name.split("<")[0], k.ours_name)

    def test_every_count_is_equal_or_explained(self):
        for k in self.kernels:
            for column in k.differences():
                with self.subTest(kernel=k.name, counter=COLUMNS[column]):
                    if not reason(column, k.name):
                        self.assertEqual(k.ours[column], k.real[column])

    def test_a_difference_that_is_gone_leaves_the_list(self):
        differ = {(c, k.name) for k in self.kernels for c in k.differences()}
        self.assertEqual(differ, {(c, name) for c, names in EXPLAINED.items() for name in names})

    def test_global_requests_and_sectors_are_never_explained_away(self):
        self.assertFalse([c for c in EXPLAINED if c.startswith("global")])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
