"""What every lab's folder promises.

Starters rot when an interface changes, solutions drift from their starters, and a check that rejects
nothing teaches nothing: each test here closes one of these. A handout has no solutions; what needs
them is then skipped.
"""

import re
import unittest

from cli import grade, labs

LABS = labs.all_labs()
SOLVED = [lab for lab in LABS if lab.solution.exists()]
MUTANTS = labs.ROOT / "tests/mutants"

REGION = re.compile(r"^ *// \[([\w-]+)\]$")


def outside_regions(text):
    """The text with each region's body taken out: `// [name]` … `// [name]` becomes one line."""
    kept, inside = [], None
    for line in text.splitlines():
        marker = REGION.match(line)
        if inside is None:
            kept.append(line)
            inside = marker.group(1) if marker else None
        elif marker and marker.group(1) == inside:
            inside = None
    if inside is not None:
        raise AssertionError(f"the region [{inside}] is never closed")
    return kept


class Labs(unittest.TestCase):
    def setUp(self):
        self.assertTrue(LABS, "no labs were found")

    def test_the_folder_is_complete(self):
        for lab in LABS:
            for name in (f"{lab.topic}.h", "starter.cu", "checks.cc", "hints.md"):
                with self.subTest(lab=lab.name, file=name):
                    self.assertTrue((lab.folder / name).exists(), f"{lab.name} has no {name}")

    def test_the_header_states_a_contract(self):
        for lab in LABS:
            with self.subTest(lab=lab.name):
                text = (lab.folder / f"{lab.topic}.h").read_text()
                self.assertRegex(text, r"///|/\*\*", f"{lab.topic}.h has no Doxygen comment")

    def test_hints_come_in_three_steps(self):
        for lab in LABS:
            with self.subTest(lab=lab.name):
                steps = re.findall(r"^## ", (lab.folder / "hints.md").read_text(), re.M)
                self.assertEqual(3, len(steps), f"{lab.name}/hints.md has {len(steps)} '## ' headings")

    def test_a_solution_has_nothing_left_to_do(self):
        for lab in SOLVED:
            with self.subTest(lab=lab.name):
                self.assertNotIn("LAB_TODO", lab.solution.read_text())


@unittest.skipUnless(SOLVED, "a handout: there are no solutions")
class Solutions(unittest.TestCase):
    def test_solving_changes_only_the_marked_regions(self):
        for lab in SOLVED:
            with self.subTest(lab=lab.name):
                starter, solution = lab.starter.read_text(), lab.solution.read_text()
                self.assertRegex(solution, re.compile(REGION.pattern, re.M), "no region is marked")
                self.assertEqual(outside_regions(starter), outside_regions(solution))

    def test_every_lab_has_a_solution(self):
        self.assertEqual([lab.name for lab in LABS], [lab.name for lab in SOLVED])

    def test_every_folder_of_solutions_mirrors_an_exercise(self):
        exercises = {lab.name for lab in LABS if lab.is_exercise}
        folders = sorted((labs.ROOT / "solutions").glob("*/*/solution.cu"))
        for path in folders:
            name = "/".join(path.parts[-3:-1])
            self.assertIn(name, exercises, f"solutions/{name} solves no exercise")

    def test_every_lab_has_five_mutants_that_state_what_rejects_them(self):
        for lab in LABS:
            mutants = sorted((MUTANTS / lab.name).glob("*.cu"))
            with self.subTest(lab=lab.name):
                self.assertGreaterEqual(len(mutants), 5, f"{lab.name} has {len(mutants)} mutants")
            for mutant in mutants:
                with self.subTest(mutant=mutant.name):
                    self.assertTrue(grade.expectations(mutant), f"{mutant.name} has no // expect: line")
                    self.assertNotIn("LAB_TODO", mutant.read_text())

    def test_every_mutant_belongs_to_a_lab(self):
        names = {lab.name for lab in LABS}
        for path in sorted(MUTANTS.rglob("*.cu")):
            self.assertIn(path.parent.relative_to(MUTANTS).as_posix(), names, f"{path.name} is nobody's")


class Regions(unittest.TestCase):
    def test_what_stands_between_two_markers_is_taken_out(self):
        text = "a\n// [kernel]\nb\n// [inner]\nc\n// [kernel]\nd"
        self.assertEqual(["a", "// [kernel]", "d"], outside_regions(text))

    def test_a_region_without_an_end_is_an_error(self):
        with self.assertRaises(AssertionError):
            outside_regions("// [kernel]\na")


if __name__ == "__main__":
    unittest.main()
